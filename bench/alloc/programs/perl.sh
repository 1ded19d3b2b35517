# Hashes, closures, regular expressions, sorting, fork.
# needs: perl
perl -e '
my %h; my $s = "";
for my $i (1..200000) { my $k = ($i * 7919) % 10007; $h{$k} .= chr(97 + $i % 26); $s .= $k if $i % 10 == 0 }
my @k = sort { length($h{$a}) <=> length($h{$b}) or $a <=> $b } keys %h;
print scalar(@k), " $k[0] $k[-1] ", length($s), "\n";
my @f = map { my $n = $_; sub { $n++ . "x" } } 1..20000;
my $t = 0; $t += length($_->()) for @f, @f; print "$t\n";
my $n = () = $s =~ /(\d)\1/g; print "$n\n";
for (1..20) { my $p = fork; if (!$p) { my @x = (1) x 10000; exit(@x == 10000 ? 0 : 1) } waitpid $p, 0; print $?, " " }
print "\nperl done\n";'
