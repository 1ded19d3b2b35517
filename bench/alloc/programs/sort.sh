# sort with threads, and other text tools.
# needs: sort awk seq
seq 1 300000 | awk '{ printf "%d line %d\n", ($1 * 7919) % 300007, $1 }' > lines
sort --parallel=4 -S 8M -n lines | md5sum
sort --parallel=4 -S 200M -k3,3n -r lines | md5sum
awk '{ a[$1 % 1000] = a[$1 % 1000] $3; n++ } END { for (i = 0; i < 5; i++) print length(a[i]); print n }' lines
sed -E 's/([0-9]+) line ([0-9]+)/\2:\1/' lines | tac | cut -d: -f2 | uniq | wc -l
gzip -c lines | gzip -dc | cmp - lines && tar cf - lines | tar tf -
grep -c '77.*1$' lines; join <(sort lines) <(sort lines) | wc -l; echo "sort done"
