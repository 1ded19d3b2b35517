% library(md5), library(sha), library(crypto): hashes, keyed hashes, random bytes; library(uuid). Values are those of the standards and of other implementations.

:- use_module(library(md5)).
:- use_module(library(sha)).
:- use_module(library(crypto)).
:- use_module(library(uuid)).

sec_sha(Algorithm, Text, Hex) :- sha_hash(Text, Hash, [algorithm(Algorithm)]), hash_atom(Hash, Hex).
sec_hmac(Algorithm, Key, Text, Hex) :- hmac_sha(Key, Text, Hash, [algorithm(Algorithm)]), hash_atom(Hash, Hex).
sec_long(N, Text) :- length(L, N), maplist(=(0'a), L), string_codes(Text, L).
%   A context in whose state eight bytes are others: those of the number of blocks, for each algorithm.
sec_counted(Algorithm, Bytes, '$hash'(Algorithm, O, E, State)) :-
    member(Algorithm-Place, [md5-16, sha1-20, sha224-32, sha256-32, sha384-64, sha512-64]),
    crypto_context_new('$hash'(Algorithm, O, E, State0), [algorithm(Algorithm)]),
    string_codes(State0, Codes0),
    length(Front, Place), append(Front, Behind0, Codes0),
    length(Count, 8), append(Count, Behind, Behind0),
    append([Front, Bytes, Behind], Codes),
    string_codes(State, Codes).
sec_error(Goal, Name) :- catch(( Goal, Name = none ), error(domain_error(Name, _), _), true).
sec_file(Text, File) :- tmp_file(sec, File), open(File, write, S, [encoding(octet)]), write(S, Text), close(S).

t(md5, md5_hash(abc, H, []), [H], answers([['900150983cd24fb0d6963f7d28e17f72']])).
t(md5_empty, md5_hash('', H, []), [H], answers([['d41d8cd98f00b204e9800998ecf8427e']])).
t(md5_string, md5_hash("abc", H, [encoding(utf8)]), [H], answers([['900150983cd24fb0d6963f7d28e17f72']])).
t(md5_codes, md5_hash([0'a], H, []), [H], answers([['0cc175b9c0f1b6a831c399e269772661']])).
t(md5_utf8, md5_hash('\xe9\', H, []), [H], answers([['66ddcd97cfdeabb2f6fb8a999b4bc76f']])).
t(md5_octet, md5_hash('\xe9\', H, [encoding(octet)]), [H], answers([['3406877694691ddd1dfb0aca54681407']])).
t(md5_no_octet, md5_hash('\x2603\', _, [encoding(octet)]), [], throws(representation_error(encoding))).
t(md5_unbound, md5_hash(_, _, []), [], throws(instantiation_error)).
t(md5_number, md5_hash(12, _, []), [], throws(type_error(text, 12))).
t(md5_compound, md5_hash(f(x), _, []), [], throws(type_error(text, f(x)))).
t(md5_encoding, md5_hash(abc, _, [encoding(foo)]), [], throws(domain_error(encoding, foo))).
t(md5_options, md5_hash(abc, _, foo), [], throws(type_error(list, foo))).
t(md5_long, ( sec_long(200000, T), md5_hash(T, H, []) ), [H], answers([['561b1994f6baacd6e5eaf4baaa12849f']])).

t(sha1, sha_hash(abc, H, []), [H], answers([[[169, 153, 62, 54, 71, 6, 129, 106, 186, 62, 37, 113, 120, 80, 194, 108, 156, 208, 216, 157]]])).
t(sha224, sec_sha(sha224, abc, H), [H], answers([['23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7']])).
t(sha256, sec_sha(sha256, abc, H), [H], answers([[ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad]])).
t(sha384, sec_sha(sha384, abc, H), [H], answers([[cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7]])).
t(sha512, sec_sha(sha512, abc, H), [H], answers([[ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f]])).
t(sha_long, ( sec_long(200000, T), sec_sha(sha256, T, H) ), [H], answers([['2287d207f24a941ff3b56c04c8a25ad56b63e3023207b3bb5b4ac0c9869d74be']])).
t(sha_algorithm, sha_hash(abc, _, [algorithm(md5)]), [], throws(domain_error(algorithm, md5))).
t(sha_unbound_algorithm, sha_hash(abc, _, [algorithm(_)]), [], throws(instantiation_error)).
t(sha_pieces, ( sha_new_ctx(C0, [algorithm(sha256)]), sha_hash_ctx(C0, a, C1, _), sha_hash_ctx(C1, bc, _, H), sha_hash(abc, H2, [algorithm(sha256)]), ( H == H2 -> R = same ; R = other ) ), [R], answers([[same]])).
t(sha_branches, ( sha_new_ctx(C0, []), sha_hash_ctx(C0, a, C1, _), sha_hash_ctx(C1, b, _, H1), sha_hash_ctx(C1, b, _, H2), ( H1 == H2 -> R = same ; R = other ) ), [R], answers([[same]])).
t(sha_context, sha_hash_ctx(foo, a, _, _), [], throws(type_error(compound, foo))).
t(hmac, sec_hmac(sha1, key, data, H), [H], answers([['104152c5bfdca07bc633eebd46199f0255c9f49d']])).
t(hmac_sha256, sec_hmac(sha256, key, data, H), [H], answers([['5031fe3d989c6d1537a013fa6e739da23463fdaec3b70137d828e36ace221bd0']])).
t(hmac_algorithm, hmac_sha(key, data, _, [algorithm(sha512)]), [], throws(domain_error(algorithm, sha512))).
t(hmac_long_key, ( sec_long(131, K), crypto_data_hash(data, H, [hmac(K)]) ), [H], answers([['cf0d538d839d7beead88d8b879a7d6eddf2204474008496f32c98ebf64e2f414']])).
t(hash_atom, hash_atom([1, 2, 255], A), [A], answers([['0102ff']])).
t(hash_atom_type, hash_atom([256], _), [], throws(type_error(between(0, 255), 256))).
t(file_sha1, ( sec_file(abc, F), file_sha1(F, H) ), [H], answers([[a9993e364706816aba3e25717850c26c9cd0d89d]])).
t(file_sha1_none, file_sha1('/sec_none', _), [], throws(existence_error(source_sink, '/sec_none'))).

t(data_hash, crypto_data_hash(abc, H, []), [H], answers([[ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad]])).
t(data_hash_unbound, crypto_data_hash(abc, H, [algorithm(A)]), [H, A], answers([[ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad, sha256]])).
t(data_hash_md5, crypto_data_hash(abc, H, [algorithm(md5)]), [H], answers([['900150983cd24fb0d6963f7d28e17f72']])).
t(data_hash_octet, crypto_data_hash('\xe9\', H, [encoding(octet)]), [H], answers([[de2e331d891ae267a7009cb45b4e8830f170e0c937288ea2731a1941c7a53b0d]])).
t(data_hash_key, crypto_data_hash(abc, H, [hmac(key)]), [H], answers([['9c196e32dc0175f86f4b1cb89289d6619de6bee699e4c378e68309ed97a1a6ab']])).
t(data_hash_key_512, crypto_data_hash(abc, H, [algorithm(sha512), hmac("k")]), [H], answers([[bb9ec7701f7de8a362d775b9bfcb61a474bf8bf69d5dbee0689a4b284bc59a54ffd1cfdc05151759afd97ffd1a255b3849ce775ea4be799a65e6a19ac97e2ade]])).
t(data_hash_algorithm, crypto_data_hash(abc, _, [algorithm(foo)]), [], throws(domain_error(algorithm, foo))).
t(contexts, ( crypto_context_new(C0, [hmac(key)]), crypto_data_context(a, C0, C1), crypto_data_context(bc, C1, C), crypto_context_hash(C, H) ), [H], answers([['9c196e32dc0175f86f4b1cb89289d6619de6bee699e4c378e68309ed97a1a6ab']])).
t(context_counts_too_much, ( findall(E1-E2, ( member(Bs, [[0, 0, 0, 0, 0, 0, 64, 0], [255, 255, 255, 255, 255, 255, 255, 255]]), sec_counted(_, Bs, C), sec_error(crypto_context_hash(C, _), E1), sec_error(crypto_data_context(a, C, _), E2) ), L0), length(L0, N), sort(L0, L) ),
  [N, L], answers([[12, [hash_state-hash_state]]])).
t(context_counts_much, ( sec_long(128, T), findall(E1-E2, ( sec_counted(_, [255, 255, 255, 255, 255, 255, 63, 0], C0), sec_error(crypto_context_hash(C0, _), E1), crypto_data_context(T, C0, C), sec_error(crypto_context_hash(C, _), E2) ), L0), length(L0, N), sort(L0, L) ),
  [N, L], answers([[6, [none-hash_state]]])).
t(context_algorithm, crypto_data_context(a, '$hash'(zork, none, octet, "a"), _), [], throws(domain_error(hash_context, '$hash'(zork, none, octet, "a")))).
t(context_algorithm_hash, crypto_context_hash('$hash'(_, none, octet, "a"), _), [], throws(domain_error(hash_context, _))).
t(context_algorithm_sha, sha_hash_ctx('$hash'(zork, none, octet, "a"), a, _, _), [], throws(domain_error(hash_context, _))).
t(context_key, crypto_context_hash('$hash'(md5, [1], octet, "a"), _), [], throws(domain_error(hash_context, _))).
t(context_encoding, crypto_data_context(a, '$hash'(md5, none, zork, "a"), _), [], throws(domain_error(hash_context, _))).
t(context_state, crypto_context_hash('$hash'(md5, none, octet, "a"), _), [], throws(domain_error(hash_state, "a"))).
t(file_hash, ( sec_long(200000, T), sec_file(T, F), crypto_file_hash(F, H, []) ), [H], answers([['2287d207f24a941ff3b56c04c8a25ad56b63e3023207b3bb5b4ac0c9869d74be']])).
t(file_hash_key, ( sec_file(abc, F), crypto_file_hash(F, H, [hmac(key)]) ), [H], answers([['9c196e32dc0175f86f4b1cb89289d6619de6bee699e4c378e68309ed97a1a6ab']])).
t(hex_bytes, hex_bytes('501ACE', L), [L], answers([[[80, 26, 206]]])).
t(hex_bytes_back, hex_bytes(H, [1, 171]), [H], answers([['01ab']])).
t(hex_bytes_odd, hex_bytes('0', _), [], throws(domain_error(hex_encoding, '0'))).
t(hex_bytes_digit, hex_bytes('0g', _), [], throws(domain_error(hex_encoding, '0g'))).
t(hex_bytes_unbound, hex_bytes(_, _), [], throws(instantiation_error)).
t(hex_bytes_large, hex_bytes(_, [256]), [], throws(type_error(between(0, 255), 256))).
t(random_bytes, ( crypto_n_random_bytes(16, A), crypto_n_random_bytes(16, B), length(A, N), ( A == B -> R = same ; R = other ), ( forall(member(X, A), between(0, 255, X)) -> S = bytes ; S = A ) ), [N, R, S], answers([[16, other, bytes]])).
t(random_bytes_none, crypto_n_random_bytes(0, L), [L], answers([[[]]])).
t(random_bytes_negative, crypto_n_random_bytes(-1, _), [], throws(domain_error(not_less_than_zero, -1))).
t(random_bytes_type, crypto_n_random_bytes(a, _), [], throws(type_error(integer, a))).
t(random_bytes_unbound, crypto_n_random_bytes(_, _), [], throws(instantiation_error)).

t(uuid_name, uuid(U, [version(3), dns('swi-prolog.org')]), [U], answers([['e15d8c31-1fe9-328c-bb9d-7208066a9968']])).
t(uuid_name_5, uuid(U, [version(5), dns('swi-prolog.org')]), [U], answers([['1af9ae77-2821-5830-a0da-8203eddbe6b5']])).
t(uuid_name_default, uuid(U, [url('http://www.swi-prolog.org')]), [U], answers([['73a07870-6a90-3f2e-ae2b-ffa538dc7c2c']])).
t(uuid_oid, uuid(U, [oid('1.2.3'), version(5)]), [U], answers([['42d5e23b-3a02-5135-85c6-52d1102f1f00']])).
t(uuid_x500, uuid(U, [x500(foo)]), [U], answers([['c3c8dbcd-8f60-3825-b42b-162fc311726f']])).
t(uuid_integer, uuid(U, [dns(a), version(3), format(integer)]), [U], answers([[101105982676710493601587376479426804749]])).
t(uuid_random, ( uuid(U, [version(4)]), uuid(V, [version(4)]), atom_length(U, N), findall(P, uuid_property(U, P), Ps), ( U == V -> R = same ; R = other ), sub_atom(U, 19, 1, _, D), ( memberchk(D, ['8', '9', a, b]) -> S = variant ; S = D ) ), [N, Ps, R, S], answers([[36, [version(4)], other, variant]])).
t(uuid_time, ( uuid(U), uuid_property(U, version(V)), uuid_property(U, time(T)), get_time(Now), ( abs(Now-T) < 10 -> R = now ; R = T ) ), [V, R], answers([[1, now]])).
t(uuid_known, findall(P, uuid_property('6ba7b810-9dad-11d1-80b4-00c04fd430c8', P), L), [L], answers([[[version(1), time(886630433.1511824)]]])).
t(uuid_no_property, uuid_property(foo, _), [], fails).
t(uuid_format, uuid(_, [format(foo)]), [], throws(domain_error(uuid_format, foo))).
