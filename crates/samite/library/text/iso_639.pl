% Codes of languages: ISO 639.

:- module(iso_639,
          [ iso_639_2/2,
            iso_639_3/2,
            iso_639/2
          ]).

/*  The codes and English names are those of ISO 639-1 and 639-2 (1998), as SWI-Prolog's library(iso_639) has them and names them: iso_639_2/2 has the codes of two letters, iso_639_3/2 those of three. A
    language has two of three letters now and then, `ger` in bibliographies and `deu` elsewhere.
*/

%!  iso_639_2(?Code, ?Language:atom) is nondet.

iso_639_2(Code, Language) :- two(Code, Language).

%!  iso_639_3(?Code, ?Language:atom) is nondet.

iso_639_3(Code, Language) :- three(Code, Language).

%!  iso_639(?Code, ?Language:atom) is nondet.

iso_639(Code, Language) :- two(Code, Language).
iso_639(Code, Language) :- three(Code, Language).

two(aa,'Afar').
two(ab,'Abkhazian').
two(af,'Afrikaans').
two(am,'Amharic').
two(ar,'Arabic').
two(as,'Assamese').
two(ay,'Aymara').
two(az,'Azerbaijani').
two(ba,'Bashkir').
two(be,'Byelorussian').
two(bg,'Bulgarian').
two(bh,'Bihari').
two(bi,'Bislama').
two(bn,'Bengali, Bangla').
two(bo,'Tibetan').
two(br,'Breton').
two(ca,'Catalan').
two(co,'Corsican').
two(cs,'Czech').
two(cy,'Welsh').
two(da,'Danish').
two(de,'German').
two(dz,'Bhutani').
two(el,'Greek').
two(en,'English, American').
two(eo,'Esperanto').
two(es,'Spanish').
two(et,'Estonian').
two(eu,'Basque').
two(fa,'Persian').
two(fi,'Finnish').
two(fj,'Fiji').
two(fo,'Faeroese').
two(fr,'French').
two(fy,'Frisian').
two(ga,'Irish').
two(gd,'Gaelic, Scots Gaelic').
two(gl,'Galician').
two(gn,'Guarani').
two(gu,'Gujarati').
two(ha,'Hausa').
two(hi,'Hindi').
two(hr,'Croatian').
two(hu,'Hungarian').
two(hy,'Armenian').
two(ia,'Interlingua').
two(ie,'Interlingue').
two(ik,'Inupiak').
two(in,'Indonesian').
two(is,'Icelandic').
two(it,'Italian').
two(iw,'Hebrew').
two(ja,'Japanese').
two(ji,'Yiddish').
two(jw,'Javanese').
two(ka,'Georgian').
two(kk,'Kazakh').
two(kl,'Greenlandic').
two(km,'Cambodian').
two(kn,'Kannada').
two(ko,'Korean').
two(ks,'Kashmiri').
two(ku,'Kurdish').
two(ky,'Kirghiz').
two(la,'Latin').
two(ln,'Lingala').
two(lo,'Laothian').
two(lt,'Lithuanian').
two(lv,'Latvian, Lettish').
two(mg,'Malagasy').
two(mi,'Maori').
two(mk,'Macedonian').
two(ml,'Malayalam').
two(mn,'Mongolian').
two(mo,'Moldavian').
two(mr,'Marathi').
two(ms,'Malay').
two(mt,'Maltese').
two(my,'Burmese').
two(na,'Nauru').
two(ne,'Nepali').
two(nl,'Dutch').
two(no,'Norwegian').
two(oc,'Occitan').
two(om,'Oromo, Afan').
two(or,'Oriya').
two(pa,'Punjabi').
two(pl,'Polish').
two(ps,'Pashto, Pushto').
two(pt,'Portuguese').
two(qu,'Quechua').
two(rm,'Rhaeto-Romance').
two(rn,'Kirundi').
two(ro,'Romanian').
two(ru,'Russian').
two(rw,'Kinyarwanda').
two(sa,'Sanskrit').
two(sd,'Sindhi').
two(sg,'Sangro').
two(sh,'Serbo-Croatian').
two(si,'Singhalese').
two(sk,'Slovak').
two(sl,'Slovenian').
two(sm,'Samoan').
two(sn,'Shona').
two(so,'Somali').
two(sq,'Albanian').
two(sr,'Serbian').
two(ss,'Siswati').
two(st,'Sesotho').
two(su,'Sudanese').
two(sv,'Swedish').
two(sw,'Swahili').
two(ta,'Tamil').
two(te,'Tegulu').
two(tg,'Tajik').
two(th,'Thai').
two(ti,'Tigrinya').
two(tk,'Turkmen').
two(tl,'Tagalog').
two(tn,'Setswana').
two(to,'Tonga').
two(tr,'Turkish').
two(ts,'Tsonga').
two(tt,'Tatar').
two(tw,'Twi').
two(uk,'Ukrainian').
two(ur,'Urdu').
two(uz,'Uzbek').
two(vi,'Vietnamese').
two(vo,'Volapuk').
two(wo,'Wolof').
two(xh,'Xhosa').
two(yo,'Yoruba').
two(zh,'Chinese').
two(zu,'Zulu').

three(abk,'Abkhazian').
three(ace,'Achinese').
three(ach,'Acoli').
three(ada,'Adangme').
three(aar,'Afar').
three(afh,'Afrihili').
three(afr,'Afrikaans').
three(afa,'Afro-Asiatic (Other)').
three(aka,'Akan').
three(akk,'Akkadian').
three(alb,'Albanian').
three(sqi,'Albanian').
three(ale,'Aleut').
three(alg,'Algonquian languages').
three(tut,'Altaic (Other)').
three(amh,'Amharic').
three(apa,'Apache languages').
three(ara,'Arabic').
three(arc,'Aramaic').
three(arp,'Arapaho').
three(arn,'Araucanian').
three(arw,'Arawak').
three(arm,'Armenian').
three(hye,'Armenian').
three(art,'Artificial (Other)').
three(asm,'Assamese').
three(ath,'Athapascan languages').
three(map,'Austronesian (Other)').
three(ava,'Avaric').
three(ave,'Avestan').
three(awa,'Awadhi').
three(aym,'Aymara').
three(aze,'Azerbaijani').
three(nah,'Aztec').
three(ban,'Balinese').
three(bat,'Baltic (Other)').
three(bal,'Baluchi').
three(bam,'Bambara').
three(bai,'Bamileke languages').
three(bad,'Banda').
three(bnt,'Bantu (Other)').
three(bas,'Basa').
three(bak,'Bashkir').
three(baq,'Basque').
three(eus,'Basque').
three(bej,'Beja').
three(bem,'Bemba').
three(ben,'Bengali').
three(ber,'Berber (Other)').
three(bho,'Bhojpuri').
three(bih,'Bihari').
three(bik,'Bikol').
three(bin,'Bini').
three(bis,'Bislama').
three(bra,'Braj').
three(bre,'Breton').
three(bug,'Buginese').
three(bul,'Bulgarian').
three(bua,'Buriat').
three(bur,'Burmese').
three(mya,'Burmese').
three(bel,'Byelorussian').
three(cad,'Caddo').
three(car,'Carib').
three(cat,'Catalan').
three(cau,'Caucasian (Other)').
three(ceb,'Cebuano').
three(cel,'Celtic (Other)').
three(cai,'Central American Indian (Other)').
three(chg,'Chagatai').
three(cha,'Chamorro').
three(che,'Chechen').
three(chr,'Cherokee').
three(chy,'Cheyenne').
three(chb,'Chibcha').
three(chi,'Chinese').
three(zho,'Chinese').
three(chn,'Chinook jargon').
three(cho,'Choctaw').
three(chu,'Church Slavic').
three(chv,'Chuvash').
three(cop,'Coptic').
three(cor,'Cornish').
three(cos,'Corsican').
three(cre,'Cree').
three(mus,'Creek').
three(crp,'Creoles and Pidgins (Other)').
three(cpe,'Creoles and Pidgins, English-based (Other)').
three(cpf,'Creoles and Pidgins, French-based (Other)').
three(cpp,'Creoles and Pidgins, Portuguese-based (Other)').
three(cus,'Cushitic (Other)').
three(ces,'Czech').
three(cze,'Czech').
three(dak,'Dakota').
three(dan,'Danish').
three(del,'Delaware').
three(din,'Dinka').
three(div,'Divehi').
three(doi,'Dogri').
three(dra,'Dravidian (Other)').
three(dua,'Duala').
three(dut,'Dutch').
three(nla,'Dutch').
three(dum,'Dutch, Middle (ca. 1050-1350)').
three(dyu,'Dyula').
three(dzo,'Dzongkha').
three(efi,'Efik').
three(egy,'Egyptian (Ancient)').
three(eka,'Ekajuk').
three(elx,'Elamite').
three(eng,'English').
three(enm,'English, Middle (ca. 1100-1500)').
three(ang,'English, Old (ca. 450-1100)').
three(esk,'Eskimo (Other)').
three(epo,'Esperanto').
three(est,'Estonian').
three(ewe,'Ewe').
three(ewo,'Ewondo').
three(fan,'Fang').
three(fat,'Fanti').
three(fao,'Faroese').
three(fij,'Fijian').
three(fin,'Finnish').
three(fiu,'Finno-Ugrian (Other)').
three(fon,'Fon').
three(fra,'French').
three(fre,'French').
three(frm,'French, Middle (ca. 1400-1600)').
three(fro,'French, Old (842- ca. 1400)').
three(fry,'Frisian').
three(ful,'Fulah').
three(gaa,'Ga').
three(gae,'Gaelic (Scots)').
three(gdh,'Gaelic (Scots)').
three(glg,'Gallegan').
three(lug,'Ganda').
three(gay,'Gayo').
three(gez,'Geez').
three(geo,'Georgian').
three(kat,'Georgian').
three(deu,'German').
three(ger,'German').
three(gmh,'German, Middle High (ca. 1050-1500)').
three(goh,'German, Old High (ca. 750-1050)').
three(gem,'Germanic (Other)').
three(gil,'Gilbertese').
three(gon,'Gondi').
three(got,'Gothic').
three(grb,'Grebo').
three(grc,'Greek, Ancient (to 1453)').
three(ell,'Greek, Modern (1453-)').
three(gre,'Greek, Modern (1453-)').
three(kal,'Greenlandic').
three(grn,'Guarani').
three(guj,'Gujarati').
three(hai,'Haida').
three(hau,'Hausa').
three(haw,'Hawaiian').
three(heb,'Hebrew').
three(her,'Herero').
three(hil,'Hiligaynon').
three(him,'Himachali').
three(hin,'Hindi').
three(hmo,'Hiri Motu').
three(hun,'Hungarian').
three(hup,'Hupa').
three(iba,'Iban').
three(ice,'Icelandic').
three(isl,'Icelandic').
three(ibo,'Igbo').
three(ijo,'Ijo').
three(ilo,'Iloko').
three(inc,'Indic (Other)').
three(ine,'Indo-European (Other)').
three(ind,'Indonesian').
three(ina,'Interlingua (International Auxiliary language Association)').
three(ine,'Interlingue').
three(iku,'Inuktitut').
three(ipk,'Inupiak').
three(ira,'Iranian (Other)').
three(gai,'Irish').
three(iri,'Irish').
three(sga,'Irish, Old (to 900)').
three(mga,'Irish, Middle (900 - 1200)').
three(iro,'Iroquoian languages').
three(ita,'Italian').
three(jpn,'Japanese').
three(jav,'Javanese').
three(jaw,'Javanese').
three(jrb,'Judeo-Arabic').
three(jpr,'Judeo-Persian').
three(kab,'Kabyle').
three(kac,'Kachin').
three(kam,'Kamba').
three(kan,'Kannada').
three(kau,'Kanuri').
three(kaa,'Kara-Kalpak').
three(kar,'Karen').
three(kas,'Kashmiri').
three(kaw,'Kawi').
three(kaz,'Kazakh').
three(kha,'Khasi').
three(khm,'Khmer').
three(khi,'Khoisan (Other)').
three(kho,'Khotanese').
three(kik,'Kikuyu').
three(kin,'Kinyarwanda').
three(kir,'Kirghiz').
three(kom,'Komi').
three(kon,'Kongo').
three(kok,'Konkani').
three(kor,'Korean').
three(kpe,'Kpelle').
three(kro,'Kru').
three(kua,'Kuanyama').
three(kum,'Kumyk').
three(kur,'Kurdish').
three(kru,'Kurukh').
three(kus,'Kusaie').
three(kut,'Kutenai').
three(lad,'Ladino').
three(lah,'Lahnda').
three(lam,'Lamba').
three(oci,'Langue d\'Oc (post 1500)').
three(lao,'Lao').
three(lat,'Latin').
three(lav,'Latvian').
three(ltz,'Letzeburgesch').
three(lez,'Lezghian').
three(lin,'Lingala').
three(lit,'Lithuanian').
three(loz,'Lozi').
three(lub,'Luba-Katanga').
three(lui,'Luiseno').
three(lun,'Lunda').
three(luo,'Luo (Kenya and Tanzania)').
three(mac,'Macedonian').
three(mak,'Macedonian').
three(mad,'Madurese').
three(mag,'Magahi').
three(mai,'Maithili').
three(mak,'Makasar').
three(mlg,'Malagasy').
three(may,'Malay').
three(msa,'Malay').
three(mal,'Malayalam').
three(mlt,'Maltese').
three(man,'Mandingo').
three(mni,'Manipuri').
three(mno,'Manobo languages').
three(max,'Manx').
three(mao,'Maori').
three(mri,'Maori').
three(mar,'Marathi').
three(chm,'Mari').
three(mah,'Marshall').
three(mwr,'Marwari').
three(mas,'Masai').
three(myn,'Mayan languages').
three(men,'Mende').
three(mic,'Micmac').
three(min,'Minangkabau').
three(mis,'Miscellaneous (Other)').
three(moh,'Mohawk').
three(mol,'Moldavian').
three(mkh,'Mon-Kmer (Other)').
three(lol,'Mongo').
three(mon,'Mongolian').
three(mos,'Mossi').
three(mul,'Multiple languages').
three(mun,'Munda languages').
three(nau,'Nauru').
three(nav,'Navajo').
three(nde,'Ndebele, North').
three(nbl,'Ndebele, South').
three(ndo,'Ndongo').
three(nep,'Nepali').
three(new,'Newari').
three(nic,'Niger-Kordofanian (Other)').
three(ssa,'Nilo-Saharan (Other)').
three(niu,'Niuean').
three(non,'Norse, Old').
three(nai,'North American Indian (Other)').
three(nor,'Norwegian').
three(nno,'Norwegian (Nynorsk)').
three(nub,'Nubian languages').
three(nym,'Nyamwezi').
three(nya,'Nyanja').
three(nyn,'Nyankole').
three(nyo,'Nyoro').
three(nzi,'Nzima').
three(oji,'Ojibwa').
three(ori,'Oriya').
three(orm,'Oromo').
three(osa,'Osage').
three(oss,'Ossetic').
three(oto,'Otomian languages').
three(pal,'Pahlavi').
three(pau,'Palauan').
three(pli,'Pali').
three(pam,'Pampanga').
three(pag,'Pangasinan').
three(pan,'Panjabi').
three(pap,'Papiamento').
three(paa,'Papuan-Australian (Other)').
three(fas,'Persian').
three(per,'Persian').
three(peo,'Persian, Old (ca 600 - 400 B.C.)').
three(phn,'Phoenician').
three(pol,'Polish').
three(pon,'Ponape').
three(por,'Portuguese').
three(pra,'Prakrit languages').
three(pro,'Provencal, Old (to 1500)').
three(pus,'Pushto').
three(que,'Quechua').
three(roh,'Rhaeto-Romance').
three(raj,'Rajasthani').
three(rar,'Rarotongan').
three(roa,'Romance (Other)').
three(ron,'Romanian').
three(rum,'Romanian').
three(rom,'Romany').
three(run,'Rundi').
three(rus,'Russian').
three(sal,'Salishan languages').
three(sam,'Samaritan Aramaic').
three(smi,'Sami languages').
three(smo,'Samoan').
three(sad,'Sandawe').
three(sag,'Sango').
three(san,'Sanskrit').
three(srd,'Sardinian').
three(sco,'Scots').
three(sel,'Selkup').
three(sem,'Semitic (Other)').
three(scr,'Serbo-Croatian').
three(srr,'Serer').
three(shn,'Shan').
three(sna,'Shona').
three(sid,'Sidamo').
three(bla,'Siksika').
three(snd,'Sindhi').
three(sin,'Singhalese').
three(sit,'Sino-Tibetan (Other)').
three(sio,'Siouan languages').
three(sla,'Slavic (Other)').
three(ssw,'Siswant').
three(slk,'Slovak').
three(slo,'Slovak').
three(slv,'Slovenian').
three(sog,'Sogdian').
three(som,'Somali').
three(son,'Songhai').
three(wen,'Sorbian languages').
three(nso,'Sotho, Northern').
three(sot,'Sotho, Southern').
three(sai,'South American Indian (Other)').
three(esl,'Spanish').
three(spa,'Spanish').
three(suk,'Sukuma').
three(sux,'Sumerian').
three(sun,'Sudanese').
three(sus,'Susu').
three(swa,'Swahili').
three(ssw,'Swazi').
three(sve,'Swedish').
three(swe,'Swedish').
three(syr,'Syriac').
three(tgl,'Tagalog').
three(tah,'Tahitian').
three(tgk,'Tajik').
three(tmh,'Tamashek').
three(tam,'Tamil').
three(tat,'Tatar').
three(tel,'Telugu').
three(ter,'Tereno').
three(tha,'Thai').
three(bod,'Tibetan').
three(tib,'Tibetan').
three(tig,'Tigre').
three(tir,'Tigrinya').
three(tem,'Timne').
three(tiv,'Tivi').
three(tli,'Tlingit').
three(tog,'Tonga (Nyasa)').
three(ton,'Tonga (Tonga Islands)').
three(tru,'Truk').
three(tsi,'Tsimshian').
three(tso,'Tsonga').
three(tsn,'Tswana').
three(tum,'Tumbuka').
three(tur,'Turkish').
three(ota,'Turkish, Ottoman (1500 - 1928)').
three(tuk,'Turkmen').
three(tyv,'Tuvinian').
three(twi,'Twi').
three(uga,'Ugaritic').
three(uig,'Uighur').
three(ukr,'Ukrainian').
three(umb,'Umbundu').
three(und,'Undetermined').
three(urd,'Urdu').
three(uzb,'Uzbek').
three(vai,'Vai').
three(ven,'Venda').
three(vie,'Vietnamese').
three(vol,'Volapük').
three(vot,'Votic').
three(wak,'Wakashan languages').
three(wal,'Walamo').
three(war,'Waray').
three(was,'Washo').
three(cym,'Welsh').
three(wel,'Welsh').
three(wol,'Wolof').
three(xho,'Xhosa').
three(sah,'Yakut').
three(yao,'Yao').
three(yap,'Yap').
three(yid,'Yiddish').
three(yor,'Yoruba').
three(zap,'Zapotec').
three(zen,'Zenaga').
three(zha,'Zhuang').
three(zul,'Zulu').
three(zun,'Zuni').
