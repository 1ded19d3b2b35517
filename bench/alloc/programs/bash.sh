# The shell itself: arrays, strings, subshells, pipelines.
# needs: bash
declare -A count
text=""
for i in {1..20000}; do
    k=$((i * 7919 % 1000))
    count[k$k]=$((${count[k$k]:-0} + i))
    text+=$i
done
echo "${#count[@]} ${count[k7]} ${#text}"
for i in {1..60}; do
    (x=$(printf '%s\n' {1..300} | tac | head -n "$i" | wc -l); echo "$x")
done | paste -sd+ | sed 's/+/ + /g' | wc -c
a=({1..5000}); a=("${a[@]/%/x}"); unset 'a[17]'; echo "${#a[@]} ${a[100]}"
echo "shell done"
