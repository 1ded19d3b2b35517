% library(strings): lines, and what they are indented by.

t(dedent, dedent_lines("  hello\n    there\n  ok\n", T, []), [T], answers([["hello\n  there\nok\n"]])).
t(dedent_blank_first, dedent_lines("\n  a\n   b", T, []), [T], answers([["\na\n b"]])).
t(indent, indent_lines("  ", "a\nb\n\nc", T), [T], answers([["  a\n  b\n\n  c"]])).
t(string_lines, string_lines("a\nb\n", L), [L], answers([[["a", "b"]]])).
t(string_of_lines, string_lines(T, ["a", "b"]), [T], answers([["a\nb\n"]])).
t(lines_empty_last, ( string_lines("ab\n", ["ab"]), string_lines("ab\n", ["ab", ""]), string_lines("ab\n\n", ["ab", ""]) ), [],
  answers([[]])).
t(lines_of_text, string_lines("\nab\n", L), [L], answers([[["", "ab"]]])).
t(dedent_tabs, dedent_lines("  a\n\tb", T, []), [T], answers([["  a\n\tb"]])).
t(dedent_tabs_common, dedent_lines("  \ta\n  \t  b", T, []), [T], answers([["a\n  b"]])).
t(dedent_tab_columns, dedent_lines("  a\n\tb", T, [tab(4)]), [T], answers([["a\n  b"]])).
t(dedent_blank_lines, dedent_lines("  a\n   \n b\n\n", T, []), [T], answers([[" a\n  \nb\n\n"]])).
t(dedent_only_blanks, dedent_lines("  \n ", T, []), [T], answers([["\n"]])).
t(indent_all, indent_lines([_]>>true, "> ", "a\n\nb\n", T), [T], answers([["> a\n> \n> b\n"]])).
