c("~w",[a],ok("a")).
c("~w",[],err("format('not enough arguments')")).
c("~w",a,ok("a")).
c("~w ~w",[a],err("format('not enough arguments')")).
c("abc",[a],err("format('too many arguments')")).
c("abc",a,err("format('too many arguments')")).
c("abc",[],ok("abc")).
c("~",[],err("existence_error(format_character,'\\x0\\')")).
c("~3",[],err("existence_error(format_character,'3')")).
c("~*",[],err("format('not enough arguments')")).
c("~`",[],err("existence_error(format_character,'\\x0\\')")).
c("~`x",[],err("existence_error(format_character,'\\x0\\')")).
c("~y",[a],err("existence_error(format_character,y)")).
c("~3y",[a],err("existence_error(format_character,y)")).
c("~Z",[],err("existence_error(format_character,'Z')")).
c("~ ",[],err("existence_error(format_character,' ')")).
c("~é",[a],err("existence_error(format_character,é)")).
c("~a",[a],ok("a")).
c("~a",["s"],ok("s")).
c("~a",[1],ok("1")).
c("~a",[1.5],ok("1.5")).
c("~a",[f(x)],err("format_argument_type(a,f(x))")).
c("~a",[_4818],err("format_argument_type(a,_4970)")).
c("~a",[[]],err("format_argument_type(a,[])")).
c("~a",[[a]],err("format_argument_type(a,[a])")).
c("~3a",[abc],ok("abc")).
c("~d",[12345],ok("12345")).
c("~2d",[12345],ok("123.45")).
c("~D",[1234567],ok("1,234,567")).
c("~2D",[1234567],ok("12,345.67")).
c("~0d",[5],ok("5")).
c("~2d",[5],ok("0.05")).
c("~2d",[-5],ok("-0.05")).
c("~2d",[0],ok("0.00")).
c("~3d",[-12],ok("-0.012")).
c("~3d",[-1234],ok("-1.234")).
c("~D",[-1234567],ok("-1,234,567")).
c("~D",[123],ok("123")).
c("~D",[-123],ok("-123")).
c("~2D",[-5],ok("-0.05")).
c("~10d",[5],ok("0.0000000005")).
c("~d",[1.0],err("format_argument_type(d,1.0)")).
c("~d",[1+2],ok("3")).
c("~D",[1+2],ok("3")).
c("~d",[1r3],err("format_argument_type(d,1r3)")).
c("~d",[100000000000000000000000],ok("100000000000000000000000")).
c("~D",[100000000000000000000000],ok("100,000,000,000,000,000,000,000")).
c("~2d",[100000000000000000000000],ok("1000000000000000000000.00")).
c("~2d",[-100000000000000000000000],ok("-1000000000000000000000.00")).
c("~:d",[1234567],ok("1234567")).
c("~:D",[1234567],ok("1,234,567")).
c("~2:d",[1234567],ok("12345.67")).
c("~:2d",[1234567],err("existence_error(format_character,'2')")).
c("~:w",[a],ok("a")).
c("~s",[[104,105]],ok("hi")).
c("~s",["abc"],ok("abc")).
c("~s",[[h,i]],ok("hi")).
c("~s",[abc],ok("abc")).
c("~s",[12],err("format_argument_type(s,12)")).
c("~s",[_6130],err("format_argument_type(s,_6282)")).
c("~s",[[a|_6318]],err("format_argument_type(s,[a|_6482])")).
c("~s",[[]],ok("")).
c("~s",[[1.5]],err("format_argument_type(s,[1.5])")).
c("~s",[[-1]],err("format_argument_type(s,[-1])")).
c("~s",[[h,105]],err("format_argument_type(s,[h,105])")).
c("~10s",[[104]],ok("h")).
c("~s",[f(x)],err("format_argument_type(s,f(x))")).
c("~s",[[104,x,abc]],err("format_argument_type(s,[104,x,abc])")).
c("~e",[1.5],ok("1.500000e+00")).
c("~f",[1.5],ok("1.500000")).
c("~g",[1.5],ok("1.5")).
c("~2e",[1.5],ok("1.50e+00")).
c("~0f",[1.5],ok("2")).
c("~0f",[2.5],ok("2")).
c("~0f",[0.5],ok("0")).
c("~0e",[1.5],ok("2e+00")).
c("~2g",[1.5],ok("1.5")).
c("~0g",[1.5],ok("2")).
c("~20f",[0.1],ok("0.10000000000000000555")).
c("~50f",[0.1],ok("0.10000000000000000555111512312578270211815834045410")).
c("~f",[1],ok("1.000000")).
c("~2f",[1],ok("1.00")).
c("~0f",[1],ok("1")).
c("~2f",[100000000000000000000000],ok("100000000000000000000000.00")).
c("~2f",[1r3],ok("0.33")).
c("~2f",[2r3],ok("0.67")).
c("~2f",[-1r3],ok("-0.33")).
c("~2f",[1r200],ok("0.01")).
c("~2f",[3r200],ok("0.02")).
c("~2f",[-1r200],ok("-0.01")).
c("~2f",[-1r300],ok("-0.00")).
c("~0f",[1r2],ok("1")).
c("~0f",[3r2],ok("2")).
c("~30f",[1r3],ok("0.333333333333333333333333333333")).
c("~e",[1],ok("1.000000e+00")).
c("~e",[1r3],ok("3.333333e-01")).
c("~2e",[12345678901234567890123],ok("1.23e+22")).
c("~g",[1],ok("1")).
c("~g",[1r3],ok("0.333333")).
c("~e",[100000000000000000000000000000],ok("1.000000e+29")).
c("~g",[100000000000000000000000000],ok("1e+26")).
c("~f",[inf],ok("inf")).
c("~f",[nan],ok("nan")).
c("~f",[1+2],ok("3.000000")).
c("~2f",[pi],ok("3.14")).
c("~2f",[1.0Inf],ok("inf")).
c("~2f",[1.5NaN],ok("nan")).
c("~e",[1.0Inf],ok("inf")).
c("~g",[1.5NaN],ok("nan")).
c("~2f",[-1.0Inf],ok("-inf")).
c("~2f",[1.0e+300],ok("1000000000000000052504760255204420248704468581108159154915854115511802457988908195786371375080447864043704443832883878176942523235360430575644792184786706982848387200926575803737830233794788090059368953234970799945081119038967640880074652742780142494579258788820056842838115669472196386865459400540160.00")).
c("~2f",[123456789.98765433],ok("123456789.99")).
c("~3f",[-0.0],ok("-0.000")).
c("~3e",[-0.0],ok("-0.000e+00")).
c("~g",[10000000000.0],ok("1e+10")).
c("~g",[100000.0],ok("100000")).
c("~g",[1000000.0],ok("1e+06")).
c("~g",[0.0001],ok("0.0001")).
c("~g",[1.0e-5],ok("1e-05")).
c("~g",[0.1],ok("0.1")).
c("~g",[100.0],ok("100")).
c("~10g",[0.1],ok("0.1")).
c("~3g",[1234.5],ok("1.23e+03")).
c("~h",[1.5],err("existence_error(format_character,h)")).
c("~2h",[1.5],err("existence_error(format_character,h)")).
c("~15h",[0.1],err("existence_error(format_character,h)")).
c("~h",[1],err("existence_error(format_character,h)")).
c("~:f",[1234567.5],ok("1234567.500000")).
c("~:2f",[1234567],err("existence_error(format_character,'2')")).
c("~H",[1.0],err("existence_error(format_character,'H')")).
c("~E",[1.5],ok("1.500000E+00")).
c("~G",[1.5],ok("1.5")).
c("~F",[1.5],err("existence_error(format_character,'F')")).
c("~2F",[1.0e+100],err("existence_error(format_character,'F')")).
c("~c",[65],ok("A")).
c("~3c",[65],ok("AAA")).
c("~*c",[3,65],ok("AAA")).
c("~c",[a],err("format_argument_type(c,a)")).
c("~c",[-1],err("format_argument_type(c,-1)")).
c("~c",[233],ok("é")).
c("~c",[_9356],err("format_argument_type(c,_9508)")).
c("~c",[1114112],err("representation_error(code_point)")).
c("~c",[55296],err("representation_error(code_point)")).
c("~0c",[65],ok("")).
c("~*c",[a,65],err("format('no or negative integer for `*\\' argument')")).
c("~*c",[-1,65],err("format('no or negative integer for `*\\' argument')")).
c("~*c",[3],err("format('not enough arguments')")).
c("~c",[1.0],err("format_argument_type(c,1.0)")).
c("~c",["a"],err("format_argument_type(c,\"a\")")).
c("~c",[0],ok("\u0000")).
c("~*c",[_10848,65],err("format('no or negative integer for `*\\' argument')")).
c("~*c",[100000000000000000000,65],err("format('no or negative integer for `*\\' argument')")).
c("~8r",[100],ok("144")).
c("~16r",[255],ok("ff")).
c("~16R",[255],ok("FF")).
c("~36r",[123456789],ok("21i3v9")).
c("~37r",[1],err("domain_error(radix,37)")).
c("~1r",[1],err("domain_error(radix,1)")).
c("~0r",[1],err("domain_error(radix,0)")).
c("~r",[10],ok("12")).
c("~R",[10],ok("12")).
c("~8r",[1.0],err("format_argument_type(r,1.0)")).
c("~8r",[1+2],ok("3")).
c("~2r",[-5],ok("-101")).
c("~16r",[-255],ok("-ff")).
c("~16r",[100000000000000000000000],ok("152d02c7e14af6800000")).
c("~16R",[-100000000000000000000000],ok("-152D02C7E14AF6800000")).
c("~16r",[1r3],err("format_argument_type(r,1r3)")).
c("~2r",[0],ok("0")).
c("~q",[['A'-"s"]],ok("['A'-\"s\"]")).
c("~w",['A b'],ok("A b")).
c("~k",['A b'+_12176],ok("+('A b',_)")).
c("~q",[_12174],ok("_12174")).
c("~k",[[a,'B']],ok("[a,'B']")).
c("~p",['A b'],ok("'A b'")).
c("~q",['$VAR'(1)],ok("B")).
c("~w",['$VAR'(1)],ok("B")).
c("~p",['$VAR'(1)],ok("B")).
c("~k",['$VAR'(1)],ok("'$VAR'(1)")).
c("~k",[1+2],ok("+(1,2)")).
c("~q",[1+2],ok("1+2")).
c("~q",[{a}],ok("{a}")).
c("~k",[{a}],ok("{}(a)")).
c("~k",["str"],ok("\"str\"")).
c("~q",["str"],ok("\"str\"")).
c("~3w",[abc],ok("abc")).
c("~k",[f(_12174,_12176,_12174)],ok("f(A,_,A)")).
c("~w",[- 1],ok("- 1")).
c("~q",[- 1],ok("- 1")).
c("~q",[1- -1],ok("1- -1")).
c("~n",[],ok("\n")).
c("~3n",[],ok("\n\n\n")).
c("~0n",[],ok("")).
c("~*n",[2],ok("\n\n")).
c("~~",[],ok("~")).
c("~3~",[],ok("~")).
c("~i~w",[a,b],ok("b")).
c("~2i~w",[a,b],ok("b")).
c("~i",[],err("format('not enough arguments')")).
c("~r",[],err("format('not enough arguments')")).
c("~c",[],err("format('not enough arguments')")).
c("~e",[],err("format('not enough arguments')")).
c("~s",[],err("format('not enough arguments')")).
c("~@",[],err("format('not enough arguments')")).
c("~p",[],err("format('not enough arguments')")).
c("~q",[],err("format('not enough arguments')")).
c("~k",[],err("format('not enough arguments')")).
c("~d",[],err("format('not enough arguments')")).
c("~D",[],err("format('not enough arguments')")).
c("~a",[],err("format('not enough arguments')")).
c("~8r",[],err("format('not enough arguments')")).
c("~@",[write(x)],ok("x")).
c("~@~w",[write(x),y],ok("xy")).
c("a~20|~@~t~40|b",[write(x)],ok("a                   x                   b")).
c("~*d",[2,12345],ok("123.45")).
c("~*w",[2,a],ok("a")).
c("~`ad",[5],ok("0.0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000005")).
c("~`x|",[],ok("                                                                                                                        ")).
c(abc,[],ok("abc")).
c([97,126,119],[x],ok("ax")).
c([a,~,w],[x],ok("ax")).
c(12,[],err("type_error(text,12)")).
c(f(x),[],err("type_error(text,f(x))")).
c("~w",[a|_14736],ok("[a|_14736]")).
c("~w",[a|b],ok("[a|b]")).
c("~w",_14744,ok("_14744")).
c("~w","ab",ok("ab")).
c("~w ~w","ab",err("format('not enough arguments')")).
c("~s",["ab"],ok("ab")).
c("~w",'',ok("")).
c('~w and ~i~w~n',[a,b,c],ok("a and c\n")).
c("~ic",[a],ok("c")).
c("~99999999999999999999w",[a],ok("a")).
c("~2147483647w",[a],ok("a")).
c("~2147483648w",[a],ok("a")).
c("no args~w",foo(x),ok("no argsfoo(x)")).
c("~w~w",[a,b,c],err("format('too many arguments')")).
c("~w",[a,b,c],err("format('too many arguments')")).
c("~t~w~10|",[abc],ok("       abc")).
c("~w~t~10|",[abc],ok("abc       ")).
c("~t~w~t~10|",[abc],ok("   abc    ")).
c("~`-t~30|",[],ok("------------------------------")).
c("~`-t~w~30|",[abc],ok("---------------------------abc")).
c("~w~30|~w",[a,b],ok("a                             b")).
c("~t~w~10|~w",[abc,def],ok("       abcdef")).
c("~t~d~6|~t~d~12|",[1,2],ok("     1     2")).
c("~w~t~10+~w~t~10+~w",[a,b,c],ok("a         b         c")).
c("~t~w~10+~t~w~10+~w",[a,b,c],ok("         a         bc")).
c("~+~w",[a],ok("        a")).
c("a~+b",[],ok("a       b")).
c("~t~s~t~20|",[[97,98]],ok("         ab         ")).
c("abcdefgh~4|ij",[],ok("abcdefghij")).
c("abcdefgh~t~4|ij",[],ok("abcdefghij")).
c("~tabcdefgh~4|ij",[],ok("abcdefghij")).
c("abc~t~|def",[],ok("abcdef")).
c("abc~|def",[],ok("abcdef")).
c("abc~t~+def",[],ok("abc     def")).
c("~tabc~|def~t~+x",[],ok("abcdef     x")).
c("abc~0|def",[],ok("abcdef")).
c("abc~0+def",[],ok("abcdef")).
c("abc~+~+def",[],ok("abc             def")).
c("~ta~t~tb~20|",[],ok("      a            b")).
c("~ta~t~tb~21|",[],ok("      a             b")).
c("~`xta~`yt~`ztb~21|",[],ok("xxxxxxayyyyyyyzzzzzzb")).
c("~`xta~`yt~`ztb~22|",[],ok("xxxxxxayyyyyyyzzzzzzzb")).
c("~`xta~`ytb~`zt~22|",[],ok("xxxxxxayyyyyyybzzzzzzz")).
c("ab\ncd~t~10|x",[],ok("ab\ncd        x")).
c("ab~ncd~t~10|x",[],ok("ab\ncd        x")).
c("ab~tcd~n~10|x",[],ok("ab          cd\nx")).
c("ab~t~10|cd~nef~t~10|x",[],ok("ab        cd\nef        x")).
c("~ncd~t~4+x",[],ok("\ncd  x")).
c("\tb~t~12|x",[],ok("\tb    x")).
c("\tb~t~4+x",[],ok("\tbx")).
c("a\bb~t~4|x",[],ok("a\bb   x")).
c("é~t~4|x",[],ok("é   x")).
c("日本~t~6|x",[],ok("日本    x")).
c("é~t~4|x",[],ok("é  x")).
c("ab\rc~t~4|x",[],ok("ab\rc   x")).
c("~t~w",[a],ok("a")).
c("a~tb",[],ok("ab")).
c("a~t",[],ok("a")).
c("~t",[],ok("")).
c("~30|",[],ok("                              ")).
c("a~30|",[],ok("a                             ")).
c("~`*t~t~20|",[],ok("**********          ")).
c("~`*t~`-t~20|",[],ok("**********----------")).
c("~`*t~`-t~21|",[],ok("**********-----------")).
c("~42t~w~10|",[a],ok("*********a")).
c("~0t~w~10|",[a],ok("\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000a")).
c("~*t~w~10|",[46,a],ok(".........a")).
c("~t~2f~10|",[3.14159],ok("      3.14")).
c("~w~t~w~20|~w",[a,b,c],ok("a                  bc")).
c("~`日t~6|",[],ok("日日日日日日")).
c("a~8+b~8+c~8+",[],ok("a       b       c       ")).
c("~t~a~8+~t~a~8+",[x,y],ok("       x       y")).
c("abcdefghijk~8+b~8+c",[],ok("abcdefghijkb       c")).
c("abcdefghijk~t~8+b~t~8+c",[],ok("abcdefghijkb       c")).
c("~`-t~8+~`=t~8+",[],ok("--------========")).
c("~tabc~5+~tdefghi~3+~tx~5+|",[],ok("  abcdefghi    x|")).
c("~*|x",[5],ok("     x")).
c("~*+x",[5],ok("     x")).
c("~w~*|x",[a,5],ok("a    x")).
c("~t~n~10|x",[],ok("          \nx")).
c("~ta~nb~10|x",[],ok("         a\nbx")).
c("a~10|b~5|c",[],ok("a         bc")).
c("a~10|~tb~5|c",[],ok("a         bc")).
c("a~10|~tb~|c",[],ok("a         bc")).
c("~`a",[],err("existence_error(format_character,'\\x0\\')")).
c("~a~10|",[abc],ok("abc       ")).
c("~`~t~5|",[],ok("~~~~~")).
c("~`",[],err("existence_error(format_character,'\\x0\\')")).
c("~`\nt~5|x",[],ok("\n\n\n\n\nx")).
c("~t~t~t~7|",[],ok("       ")).
c("~`atx~`bty~`ctz~10|",[],ok("aaxbbbyccz")).
c("~t~@~10|x",[write(abc)],ok("       abcx")).
c("~@~10|x",[write(abc)],ok("abc       x")).
c("~@~10|x",[write('a\nb')],ok("a\nb         x")).
c("~t~p~10|x",[abc],ok("       abcx")).
c("~w~10|x",['a\nb'],ok("a\nb         x")).
c("~t~w~10|x",['a\nb'],ok("         a\nbx")).
c("~t~w~6+x",['a\nb'],ok("     a\nbx")).
c("abc~n~t~w~6+x",[a],ok("abc\n     ax")).
c("~c~t~10|x",[9],ok("\t   x")).
c("~ic~10|~i",[a,b],ok("c         ")).
c("~`xt~*c~10|",[3,97],ok("xxxxxxxaaa")).
c("~t~D~12|",[1234567],ok("   1,234,567")).
c("a~10|b~5|c~4+d",[],ok("a         bc   d")).
c("~tab~1|cd~t~4+x",[],ok("abcd  x")).
c("~`x+b",[],ok("                                                                                                                        b")).
c("~0|a~t~5|",[],ok("a    ")).
c("~t~ia~5|x",[q],ok("    ax")).
c("~3|~t~w~8|",[a],ok("       a")).
c("abc~3|~t~w~8|",[a],ok("abc    a")).
c("a~nb~4+c",[],ok("a\nb   c")).
c("abcdef~nb~4+c",[],ok("abcdef\nb   c")).
c("abc~6|d~ne~4+f",[],ok("abc   d\ne         f")).
c("~`xt~`yt~n~5|",[],ok("xxyyy\n")).
c("~t~3n~5|x",[],ok("     \n\n\nx")).
c("~w~t~3|~w",['\t',a],ok("\ta")).
c("~ca~t~5|x",[8],ok("\ba    x")).
c("~g",[1.0e+100],ok("1e+100")).
c("~40e",[1.0],ok("1.0000000000000000000000000000000000000000e+00")).
c("~0g",[123456.0],ok("1e+05")).
c("~20g",[0.1],ok("0.10000000000000000555")).
c("~0e",[123],ok("1e+02")).
c("~3e",[1r7],ok("1.429e-01")).
c("~10e",[123456789012345678901234567890],ok("1.2345678901e+29")).
c("~15g",[123456789012345678901234567890],ok("1.23456789012346e+29")).
c("~40f",[1.0e-10],ok("0.0000000001000000000000000036432197315498")).
c("~3f",[9999999999999999999999r10000],ok("1000000000000000000.000")).
c("~3f",[1r2000],ok("0.001")).
c("~0f",[-1r2],ok("-1")).
c("~0f",[-5r2],ok("-3")).
c("~0f",[7r2],ok("4")).
c("~1f",[1r4],ok("0.3")).
c("~1f",[-1r4],ok("-0.3")).
c("~1f",[0.25],ok("0.2")).
c("~1f",[0.35],ok("0.3")).
c("~e",[-1r3],ok("-3.333333e-01")).
c("~40e",[1r3],ok("3.3333333333333333333333333333333333333333e-01")).
c("~30g",[1r3],ok("0.333333333333333333333333333333")).
c("~2f",[123456789123456789123456789r7],ok("17636684160493827017636684.14")).
c("~e",[123456789123456789123456789r7],ok("1.763668e+25")).
c("~:D",[-1234],ok("-1,234")).
c("~3D",[123456789],ok("123,456.789")).
c("~3:D",[123456789],ok("123,456.789")).
c("~0D",[123456789],ok("123,456,789")).
c("~D",[0],ok("0")).
c("~3D",[12],ok("0.012")).
c("~3D",[-123456],ok("-123.456")).
c("~200d",[5],ok("0.00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000005")).
c("~E",[1],ok("1.000000E+00")).
c("~3G",[123456.0],ok("1.23E+05")).
c("~G",[1.0e-10],ok("1E-10")).
c("~E",[inf],ok("INF")).
c("~f",[1.0e+22],ok("10000000000000000000000.000000")).
c("~f",[1.0e+23],ok("99999999999999991611392.000000")).
c("~0f",[0.0],ok("0")).
c("~5f",[5.0e-324],ok("0.00000")).
c("~300f",[2.0e-300],ok("0.000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000002")).
c("~s",[[97|b]],err("format_argument_type(s,[97|b])")).
c("~s",[["a"]],err("format_argument_type(s,[\"a\"])")).
c("~s",[[1114111]],ok("\U0010FFFF")).
c("~s",[[1114112]],err("format_argument_type(s,[1114112])")).
c("~s",[[55296]],err("representation_error(code_point)")).
c("~s",[''],ok("")).
c("~s",[[0]],ok("\u0000")).
c("~s",[[a,b|c]],err("format_argument_type(s,[a,b|c])")).
c("~c",[1+2],err("format_argument_type(c,1+2)")).
c("~w~*c",[a,2,120],ok("axx")).
c("~*s",[2,"abc"],ok("ab")).
c("~2s",["abc"],ok("ab")).
c("~*",[3],err("existence_error(format_character,'\\x0\\')")).
c("~*d",[3],err("format('not enough arguments')")).
c("~12",[],err("existence_error(format_character,'2')")).
c("~1:",[],err("existence_error(format_character,'\\x0\\')")).
c("~:",[],err("existence_error(format_character,'\\x0\\')")).
c("~::d",[1],err("existence_error(format_character,:)")).
c("~`",[x],err("existence_error(format_character,'\\x0\\')")).
c("~*:d",[2,1234],ok("12.34")).
c("~`a:d",[12],ok("0.0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000012")).
c("~2*d",[1,2],err("existence_error(format_character,*)")).
c("~*2d",[1,2],err("existence_error(format_character,'2')")).
c("~-2d",[5],err("existence_error(format_character,-)")).
c("~.2f",[5],err("existence_error(format_character,'.')")).
c("~ 2f",[5],err("existence_error(format_character,' ')")).
c("~+2",[],ok("        2")).
c("~p",[f(_2890,'A',"s",[1])],ok("f(_2890,'A',\"s\",[1])")).
c("~w",[f(_2890,'A',"s",[1])],ok("f(_2890,A,s,[1])")).
c("~q",[[a|b]],ok("[a|b]")).
c("~w",[{x,y}],ok("{x,y}")).
c("~q",['\n'],ok("'\\n'")).
c("~w",[a:b:c],ok("a:b:c")).
c("~q",[- - 1],ok("- - 1")).
c("~q",[1.0],ok("1.0")).
c("~k",[10000000000.0],ok("10000000000.0")).
c("~k",['$VAR'(3)],ok("'$VAR'(3)")).
c("~k",[- 1],ok("-(1)")).
c("~k",[f(_2876,_2878)],ok("f(_,_)")).
c("~k",[f(_2876,_2876,_2880)],ok("f(A,A,_)")).
c("~k",[[1,2|_2886]],ok("[1,2|_]")).
c("~k",[(a:-b,c)],ok(":-(a,','(b,c))")).
c("~q",[(a:-b,c)],ok("a:-b,c")).
c("~w",[(a:-b,c;d->e)],ok("a:-b,c;d->e")).
c("~k",[-a],ok("-(a)")).
c("~k",[\+a],ok("\\+(a)")).
c("~q",[\+a],ok("\\+a")).
c("~w",[f(:-)],ok("f(:-)")).
c("~a",['A b'],ok("A b")).
c("~a",[1r3],ok("1r3")).
c("~a",[123456789012345678901234567890],ok("123456789012345678901234567890")).
c("~i",[_2876],ok("")).
c("~w~i",[a],err("format('not enough arguments')")).
c("~ia",[f(x)],ok("a")).
c("~0e",[5r2],ok("3e+00")).
c("~0e",[7r2],ok("4e+00")).
c("~0e",[-5r2],ok("-3e+00")).
c("~1e",[5r4],ok("1.3e+00")).
c("~1e",[27r20],ok("1.4e+00")).
c("~30e",[123456789012345678901234567890123456789],ok("1.234567890123456789012345678901e+38")).
c("~20e",[9007199254740993],ok("9.00719925474099200000e+15")).
c("~30g",[123456789012345678901234567890123456789],ok("1.2345678901234567890123456789e+38")).
c("~60g",[1r7],ok("0.142857142857142857142857142857142857142857142857142857142857")).
c("~g",[1000000],ok("1e+06")).
c("~g",[123456789],ok("1.23457e+08")).
c("~0g",[1r3],ok("0.3")).
c("~g",[100r3],ok("33.3333")).
c("~e",[0],ok("0.000000e+00")).
c("~g",[0],ok("0")).
c("~3g",[0],ok("0")).
c("~20e",[1r3],ok("3.33333333333333333333e-01")).
c("~20g",[2r3],ok("0.66666666666666666667")).
c("~20g",[9007199254740993],ok("9007199254740992")).
c("~g",[1r100000],ok("1e-05")).
c("~g",[1r10000],ok("0.0001")).
c("~G",[1r100000],ok("1E-05")).
c("~3e",[9999999r1000],ok("1.000e+04")).
c("~2g",[99999999999999999999999999],ok("1e+26")).
c("~40g",[1r1024],ok("0.0009765625")).
c("~0f",[123456789012345678901],ok("123456789012345678901")).
c("~1e",[15],ok("1.5e+01")).
c("~0e",[15],ok("2e+01")).
c("~0e",[25],ok("2e+01")).
c("~0e",[25000000000000000000000000000000],ok("3e+31")).
c("~0e",[35000000000000000000000000000000],ok("4e+31")).
c("~e",[10000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000],ok("1.000000e+433")).
c("~0g",[0.0],ok("0")).
c("~0f",[1.0e+15],ok("1000000000000000")).
c("~15f",[1.0e+15],ok("1000000000000000.000000000000000")).
c("~a",[_3056],err("format_argument_type(a,_3208)")).
c("~s",["日本"],ok("日本")).
c("~1s",["日本"],ok("日")).
c("~0s",["日本"],ok("")).
c("~1s",[[97,98]],ok("a")).
c("~1s",[abc],ok("a")).
c("~t~2s~6|",[abc],ok("    ab")).
c("~t~c~6|",[26085],ok("     日")).
c("~5|~w~t~10|x",[a],ok("     a    x")).
c("~t~5|~w~t~10|x",[a],ok("     a    x")).
c("~tab",[],ok("ab")).
c("~`xtab",[],ok("ab")).
c("a~`xtb~n",[],ok("ab\n")).
c("~e",[1.0e-5],ok("1.000000e-05")).
c("~e",[1.0e+100],ok("1.000000e+100")).
c("~e",[1.0e-100],ok("1.000000e-100")).
c("~e",[1.0e-300],ok("1.000000e-300")).
c("~d",[0],ok("0")).
c("~2d",[100],ok("1.00")).
c("~1d",[-1],ok("-0.1")).
c("ab~0az",[x],ok("abxz")).
c("ab~3az",[x],ok("abxz")).
c("ab~12az",[x],ok("abxz")).
c("ab~*az",[3,x],ok("abxz")).
c("ab~0cz",[120],ok("abz")).
c("ab~3cz",[120],ok("abxxxz")).
c("ab~12cz",[120],ok("abxxxxxxxxxxxxz")).
c("ab~*cz",[3,120],ok("abxxxz")).
c("ab~0dz",[12345],ok("ab12345z")).
c("ab~3dz",[12345],ok("ab12.345z")).
c("ab~12dz",[12345],ok("ab0.000000012345z")).
c("ab~*dz",[3,12345],ok("ab12.345z")).
c("ab~0Dz",[1234567],ok("ab1,234,567z")).
c("ab~3Dz",[1234567],ok("ab1,234.567z")).
c("ab~12Dz",[1234567],ok("ab0.000001234567z")).
c("ab~*Dz",[3,1234567],ok("ab1,234.567z")).
c("ab~0ez",[1.5],ok("ab2e+00z")).
c("ab~3ez",[1.5],ok("ab1.500e+00z")).
c("ab~12ez",[1.5],ok("ab1.500000000000e+00z")).
c("ab~*ez",[3,1.5],ok("ab1.500e+00z")).
c("ab~0fz",[1.5],ok("ab2z")).
c("ab~3fz",[1.5],ok("ab1.500z")).
c("ab~12fz",[1.5],ok("ab1.500000000000z")).
c("ab~*fz",[3,1.5],ok("ab1.500z")).
c("ab~0gz",[1.5],ok("ab2z")).
c("ab~3gz",[1.5],ok("ab1.5z")).
c("ab~12gz",[1.5],ok("ab1.5z")).
c("ab~*gz",[3,1.5],ok("ab1.5z")).
c("ab~0iz",[x],ok("abz")).
c("ab~3iz",[x],ok("abz")).
c("ab~12iz",[x],ok("abz")).
c("ab~*iz",[3,x],ok("abz")).
c("ab~0Iz",[1234567],ok("ab1234567z")).
c("ab~3Iz",[1234567],ok("ab1_234_567z")).
c("ab~12Iz",[1234567],ok("ab1234567z")).
c("ab~*Iz",[3,1234567],ok("ab1_234_567z")).
c("ab~0kz",[a+b],ok("ab+(a,b)z")).
c("ab~3kz",[a+b],ok("ab+(a,b)z")).
c("ab~12kz",[a+b],ok("ab+(a,b)z")).
c("ab~*kz",[3,a+b],ok("ab+(a,b)z")).
c("ab~0Nz",[],ok("abz")).
c("ab~3Nz",[],ok("ab\n\n\nz")).
c("ab~12Nz",[],ok("ab\n\n\n\n\n\n\n\n\n\n\n\nz")).
c("ab~*Nz",[3],ok("ab\n\n\nz")).
c("ab~0nz",[],ok("abz")).
c("ab~3nz",[],ok("ab\n\n\nz")).
c("ab~12nz",[],ok("ab\n\n\n\n\n\n\n\n\n\n\n\nz")).
c("ab~*nz",[3],ok("ab\n\n\nz")).
c("ab~0qz",['A'],ok("ab'A'z")).
c("ab~3qz",['A'],ok("ab'A'z")).
c("ab~12qz",['A'],ok("ab'A'z")).
c("ab~*qz",[3,'A'],ok("ab'A'z")).
c("ab~0rz",[255],err("domain_error(radix,0)")).
c("ab~3rz",[255],ok("ab100110z")).
c("ab~12rz",[255],ok("ab193z")).
c("ab~*rz",[3,255],ok("ab100110z")).
c("ab~0Rz",[255],err("domain_error(radix,0)")).
c("ab~3Rz",[255],ok("ab100110z")).
c("ab~12Rz",[255],ok("ab193z")).
c("ab~*Rz",[3,255],ok("ab100110z")).
c("ab~0sz",["st"],ok("abz")).
c("ab~3sz",["st"],ok("abstz")).
c("ab~12sz",["st"],ok("abstz")).
c("ab~*sz",[3,"st"],ok("abstz")).
c("ab~0wz",[x],ok("abxz")).
c("ab~3wz",[x],ok("abxz")).
c("ab~12wz",[x],ok("abxz")).
c("ab~*wz",[3,x],ok("abxz")).
c("ab~0|z",[],ok("abz")).
c("ab~3|z",[],ok("ab z")).
c("ab~12|z",[],ok("ab          z")).
c("ab~*|z",[3],ok("ab z")).
c("ab~0+z",[],ok("abz")).
c("ab~3+z",[],ok("ab z")).
c("ab~12+z",[],ok("ab          z")).
c("ab~*+z",[3],ok("ab z")).
c("~3N",[],ok("\n\n")).
c("~3n~2Nb",[],ok("\n\n\n\nb")).
c("a~3n~3Nb",[],ok("a\n\n\n\n\nb")).
c("a~t~3|~2Nb",[],ok("a  \n\nb")).
c("a~10|~2Nb~n~Nc",[],ok("a         \n\nb\nc")).
c("~0Nc",[],ok("c")).
c("~N",[],ok("")).
c("a~N~N",[],ok("a\n")).
