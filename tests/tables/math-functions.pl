# What follows from what in the tables of math-functions: see tests/ratios.t.

sub math_functions
{
    my ($out) = @_;
    while ($out =~ /^(?:float|double) +(\S.*?)  .* ($NUMBER) +($NUMBER)  ($NUMBER)( \+ \S+)? (ulp|absolute) +$NUMBER$/mg)
    {
        my ($name, $ulps, $absolute, $bound, $per_x, $unit) = ($1, $2, $3, $4, $5, $6);
        expect_text(
            "$name: an error in ulp",
            $ulps > 0 ? 'yes' : 'no',
            $absolute > 0 ? 'yes' : 'no');
        my $error = $unit eq 'ulp' ? $ulps : $absolute;
        expect("$name: allowed", digits($bound, 2), sub { max($bound, 0.99 * $error) }) if !$per_x;
    }
}

looks_at('-n 20000 -r 2', \&math_functions, 76);
1;
