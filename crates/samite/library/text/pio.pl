:- module(pio,
          [ phrase_from_file/2,
            phrase_from_file/3,
            phrase_from_stream/2,
            stream_to_lazy_list/2,
            lazy_list_location//1,
            lazy_list_character_count//1,
            syntax_error//1
          ]).

:- use_module(library(pure_input), [phrase_from_file/2, phrase_from_file/3, phrase_from_stream/2, stream_to_lazy_list/2, lazy_list_location//1, lazy_list_character_count//1, syntax_error//1]).

/*  library(pure_input) by an older name, as in SWI-Prolog.  */
