# The files call each other as the map in runtime/README.md says, and in no circle. The calls are
# read from the symbols of the object files. What that page shows of a launch is so, too.
# Inputs: backend counter cpu/runtime/* cpu/*/*.md
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Run;
use Test::More;

my $MAX_HOOKS = 5;
my $dir = tempdir(CLEANUP => 1);
my $page = read_text('runtime/README.md');
my ($map) = $page =~ /^## The map\n(.*)/ms or die "runtime/README.md has no map\n";

# The tables under the map, each a list of rows of cells.
sub tables
{
    my @tables;
    for my $text ($map =~ /((?:^\|.*\n)+)/mg)
    {
        my @rows = map { [map { s/^\s+|\s+$//gr } (split /\|/, $_, -1)[1 .. tr/|// - 1]] }
          split /\n/, $text;
        push @tables, [@rows[2 .. $#rows]];    # after the names of the columns, and a line
    }
    return @tables;
}

# What each object file of `nm -A` defines and needs: {file => [files whose symbols it needs]}.
sub calls_of
{
    my ($symbols) = @_;
    my (%defined_in, %needs, %calls);
    for (split /\n/, $symbols)
    {
        my ($file, $type, $name) = m{(\w+)\.o:[0-9a-f\s]*([A-Za-z]) (\S+)$} or next;
        $calls{$file} //= {};
        $type eq 'U' ? push @{$needs{$file}}, $name : ($defined_in{$name} = $file)
          if $type =~ /[A-Z]/;
    }
    for my $file (keys %needs)
    {
        for my $name (@{$needs{$file}})
        {
            my $other = $defined_in{$name} // $file;
            push @{$calls{$file}{$other}}, $name if $other ne $file;
        }
    }
    return \%calls;
}

# The files on a circle of calls, in order, or none.
sub circle
{
    my ($calls) = @_;
    my (%done, @path);
    my $visit;
    $visit = sub {
        my ($file) = @_;
        for my $i (0 .. $#path)
        {
            return @path[$i .. $#path], $file if $path[$i] eq $file;
        }
        return if $done{$file}++;
        push @path, $file;
        for my $other (sort keys %{$calls->{$file} // {}})
        {
            my @circle = $visit->($other);
            return @circle if @circle;
        }
        pop @path;
        return;
    };
    for my $file (sort keys %$calls)
    {
        my @circle = $visit->($file);
        return @circle if @circle;
    }
    return;
}

# Compares a table of the map, [file, may call] in order, with the calls and with the files there
# are.
sub holds
{
    my ($what, $rows, $calls, @files) = @_;
    my %allowed = map { $_->[0] => {map { $_ => 1 } split ' ', $_->[1]} } @$rows;
    is(join(' ', sort keys %allowed), join(' ', sort @files), "$what: the map has each file");
    my (@upward, %above);
    for my $row (@$rows)
    {
        push @upward, map { "$row->[0] -> $_" } grep { !$above{$_} } split ' ', $row->[1];
        $above{$row->[0]} = 1;
    }
    is("@upward", '', "$what: the map allows calls down only");
    my @wrong;
    for my $file (sort keys %$calls)
    {
        push @wrong, map { "$file calls $_ (@{$calls->{$file}{$_}})" }
          grep { !$allowed{$file}{$_} } sort keys %{$calls->{$file}};
    }
    is(join("\n", @wrong), '', "$what: each call is one that the map allows");
    is(join(' -> ', circle($calls)), '', "$what: no circle of calls");
}

my ($runtime, $rewriter, $hooks) = tables();

# ---- The test itself: it sees a call upward, and a circle ----

my $planted = calls_of("lib.a:low.o: U high_call\nlib.a:low.o:00 T low_call\n"
      . "lib.a:high.o: U low_call\nlib.a:high.o:00 T high_call\nlib.a:high.o: U printf\n");
is_deeply($planted, {low => {high => ['high_call']}, high => {low => ['low_call']}},
    'calls are read from symbols');
is(join(' -> ', circle($planted)), 'high -> low -> high', 'a circle is found');

# ---- The runtime ----

my $library = "build/libcudacpu-" . (split m{/}, $CXX)[-1] . '.a';
my $symbols = run(['nm', '-A', $library]);
ok($symbols->{status} == 0, "nm reads $library") or diag(describe($symbols));
my %runtime_files = map { m{(\w+)\.[ch]$} => 1 } glob 'runtime/*.[ch]';
holds('runtime', [map { [@$_[1, 3]] } @$runtime], calls_of($symbols->{out}), keys %runtime_files);

# ---- The rewriter ----

my @sources = glob 'rewriter/*.c';
my @objects;
for my $source (@sources)
{
    my ($name) = $source =~ m{(\w+)\.c$};
    my $made = run([split(' ', $CXX), '-x', 'c', '-c', '-o', "$dir/$name.o", $source]);
    push @objects, "$dir/$name.o" if $made->{status} == 0;
}
is(scalar @objects, scalar @sources, 'the files of the rewriter compile');
$symbols = run(['nm', '-A', @objects]);
holds('rewriter', [map { [@$_[0, 2]] } @$rewriter],
    calls_of($symbols->{out}), map { m{(\w+)\.c$} } @sources);

# ---- The checker and the counter: their files call each other as their pages say. The runtime knows them by
# check.h and count.h only, and the plain runtime does not know them at all. With one of them it is one set of
# files, and in it no circle. It calls what that header has, and pthread_create, of which the checker has its
# own. ----

sub holds_with
{
    my ($part, $define, $suffix, $header, $hook) = @_;
    my ($part_map) = read_text("$part/README.md") =~ /^\| file \|.*?\n\|[-|]+\n((?:\|.*\n)+)/m;
    my @rows = map { [map { s/^\s+|\s+$//gr } (split /\|/, $_, -1)[1, 3, 4]] } split /\n/, $part_map;
    my %is_part = map { m{(\w+)\.c$} => 1 } glob "$part/*.c";
    my @objects;
    for my $source (glob "$part/*.c")
    {
        my ($name) = $source =~ m{(\w+)\.c$};
        my $made =
          run([split(' ', $CXX), '-x', 'c', "-D$define", qw(-Iinclude -c -o), "$dir/$part-$name.o", $source]);
        push @objects, "$dir/$part-$name.o" if $made->{status} == 0;
    }
    is(scalar @objects, scalar keys %is_part, "the files of the $part compile");
    my $calls = calls_of(run(['nm', '-A', @objects])->{out} =~ s{/$part-}{/}gr);
    holds($part, [map { [@$_[0, 1]] } @rows], $calls, keys %is_part);

    my $with = $library =~ s/libcudacpu/libcudacpu-$suffix/r;
    my $symbols = run(['nm', '-A', $with]);
    ok($symbols->{status} == 0, "nm reads $with") or diag(describe($symbols));
    my $both = calls_of($symbols->{out});
    is(join(' ', sort keys %$both), join(' ', sort keys %is_part, map { m{(\w+)\.c$} } glob 'runtime/*.c'),
        "with the $part: it has each file");
    is(join(' -> ', circle($both)), '', "with the $part: no circle of calls")
      or diag(join "\n", map { "$_: " . join ' ', sort keys %{$both->{$_}} } sort keys %$both);
    my %told = map { $_ => 1 } 'pthread_create', read_text($header) =~ /^(?:$hook\(|unsigned )(\w+)/mg;
    my %of_runtime = map { $_->[0] => {map { $_ => 1 } split ' ', $_->[2]} } @rows;
    my (@down, @up);
    for my $file (sort keys %$both)
    {
        for my $other (grep { ($is_part{$file} // 0) != ($is_part{$_} // 0) } sort keys %{$both->{$file}})
        {
            push @down, "$file calls $other" if $is_part{$file} && !$of_runtime{$file}{$other};
            push @up, map { "$file calls $_" } grep { !$is_part{$file} && !$told{$_} } @{$both->{$file}{$other}};
        }
    }
    is(join("\n", @down), '', "the $part calls those of the runtime that its page allows");
    is(join("\n", @up), '', "the runtime tells the $part what $header has");
}

unlike(run(['nm', $library])->{out}, qr/ U (?:check_|access_|shadow_|count_|tally_)/, 'the plain runtime calls neither');
holds_with('checker', 'CUDACPU_CHECKER', 'check', 'runtime/check.h', 'CHECK_HOOK');
# (By cpucc, which lets one process build the counter's runtime, and the others wait.)
write_text("$dir/none.cu", '');
run([qw(./cpucc --count -c), "$dir/none.cu", '-o', "$dir/none.o"]);
holds_with('counter', 'CUDACPU_COUNTER', 'count', 'runtime/count.h', 'COUNT_HOOK');

# ---- Hooks: pointers to functions that the map does not call a part of the work ----

my ($work) = $map =~ /^The other pointers to functions (.*?)(?:\n\n|\z)/ms;
my %is_work = map { $_ => 1 } ($work // '') =~ /`(\w+)`/g;
my %pointers;
for my $file (glob 'runtime/*.[ch]')
{
    # At the start of a line, or of a field's: not a parameter, and not a cast.
    $pointers{$_} = 1
      for read_text($file) =~
      /^(?: {4})?(?:static |THREAD_LOCAL |extern )*\w+ \**\(\*(?:_Atomic )?(\w+)\)\([^;]*\);/mg;
}
delete $pointers{library_fail};    # the C library's __assert_fail, looked up in assert.c
is(join(' ', sort grep { !$is_work{$_} } keys %pointers),
    join(' ', sort map { $_->[0] =~ /(\w+)/ } @$hooks), 'the map lists each hook');
cmp_ok(scalar @$hooks, '<=', $MAX_HOOKS, "there are $MAX_HOOKS hooks or fewer");

# ---- What the page shows ----

is(sh('perl runtime/layers.pl <runtime/README.md')->{out}, read_text('runtime/layers.svg'),
    'the picture shows the layers of the map: else perl layers.pl <README.md >layers.svg');
my ($source) = $page =~ /^```cuda\n(.*?)^```/ms;
my ($rewritten) = $page =~ /^```cpp\n(.*?)^```/ms;
write_text("$dir/add.cu", $source);
my $text = sh("./cpucc -E '$dir/add.cu'")->{out} =~ s/\[\[maybe_unused\]\]\s*//gr =~ s/\s+/ /gr;
for my $line (split /\n/, $rewritten)
{
    cmp_ok(index($text, $line), '>=', 0, "the rewriter writes: $line");
}
my $compiled = compile_for_cpu("$dir/add.cu", "$dir/add");
is(run(["$dir/add"])->{status}, 0, 'the example runs') or diag(describe($compiled));

done_testing();
