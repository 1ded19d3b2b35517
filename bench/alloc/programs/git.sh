# A repository with a history, packed and looked at.
# needs: git
export GIT_AUTHOR_DATE="2020-01-01T00:00:00Z" GIT_COMMITTER_DATE="2020-01-01T00:00:00Z" HOME=$PWD
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
git init -q -b main r && cd r || exit 1
for i in $(seq 1 30); do
    for f in $(seq 1 10); do seq "$i" $((i * f * 20)) > "f$f"; done
    git add . && git commit -qm "number $i" || exit 1
done
git gc -q && git fsck --strict 2>&1 | grep -v '^Checking' ; git log --oneline | wc -l
git rev-parse HEAD; git diff HEAD~20 --stat | tail -1; git log -p | md5sum
git checkout -q HEAD~10 -b other && echo x >> f1 && git commit -qam other && git merge -q -X ours main -m merged 2>/dev/null; git status --short | wc -l
git grep -c 77 | head -3; git blame f3 | wc -l; echo "git done"
