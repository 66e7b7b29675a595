# What follows from what in the tables of arithmetic1cpu: see tests/ratios.t.

sub arithmetic1cpu
{
    my ($out) = @_;
    my ($ms) = $out =~ /^arithmetic on the host: ($NUMBER) $MS/m or return;
    my ($ns) = $out =~ /^($NUMBER) ns a step$/m or return;
    expect('ns a step', digits($ns, 3), sub { 1e6 * $_[0] / (960 * 1e4) }, digits($ms));
}

looks_at('-n 960', \&arithmetic1cpu, 1);
1;
