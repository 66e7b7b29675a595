# Writes the K-th of N files of small graph codes: perl generate.pl K N. Each code is a kernel that
# goes over the vertices or the edges of a graph; half of them have a bug. The codes are all that the
# lists below make, in an order that a fixed generator of random numbers has chosen.
use strict;
use warnings;

my ($part, $parts) = (shift // 0, shift // 10);
my $NUM_CODES = 600;

# ---- What varies ----

my @types = ('int', 'unsigned', 'unsigned long long', 'float', 'double');
my @by = ('thread', 'warp', 'block', 'edge');
my @walks = ('forward', 'reverse', 'first', 'last', 'until');

# The lines around the work on a vertex: what is before it, and behind it.
sub vertex_loop
{
    my ($by, $persistent, $bound) = @_;
    my $less = $bound ? '<=' : '<';
    my %first = (thread => 'tid', warp => 'tid / 32', block => '(int)blockIdx.x');
    my %step = (thread => 'total', warp => 'total / 32', block => '(int)gridDim.x');
    return $persistent
      ? "    for (int v = $first{$by}; v $less num_vertices; v += $step{$by})"
      : "    const int v = $first{$by};\n    if (v $less num_vertices)";
}

# The loop over the edges of vertex v. A warp or a block shares them out.
sub edge_loop
{
    my ($by, $walk, $bound) = @_;
    my %lane = (thread => '0', warp => 'lane', block => '(int)threadIdx.x');
    my %step = (thread => '1', warp => '32', block => '(int)blockDim.x');
    my $less = $bound ? '<=' : '<';
    my ($from, $to) = ('begin', 'end');
    return "for (int e = end - 1 - $lane{$by}; e >= begin; e -= $step{$by})" if $walk eq 'reverse';
    $to = 'min(begin + 1, end)' if $walk eq 'first';
    $from = 'max(begin, end - 1)' if $walk eq 'last';
    my $and = $walk eq 'until' ? ' && e < begin + 40' : '';
    return "for (int e = $from + $lane{$by}; e $less $to$and; e += $step{$by})";
}

my $ROW = <<'END';
        const int begin = LD(index[v]);
        const int end = LD(index[v + 1]);
END

# Statements on each neighbour n of v.
sub over_edges
{
    my ($by, $walk, $bound, $statements) = @_;
    if ($by eq 'edge')
    {
        my $text = $statements =~ s/^    //mgr;
        my $less = $bound ? '<=' : '<';
        return <<"END" . $text . "    }\n";
    for (int e = tid; e < num_edges; e += total)
    {
        const int n = LD(list[e]);
        const int v = LD(source[e]);
END
    }
    my $loop = edge_loop($by, $walk, $bound);
    return <<"END" . $statements . "        }\n";
        $loop
        {
            const int n = LD(list[e]);
END
}

# ---- The patterns: each takes (type, by, walk, persistent, bug) and gives the kernel's body, or '' where
# the combination makes no sense. ----

sub over_vertices
{
    my ($by, $persistent, $bound, $body) = @_;
    return vertex_loop($by, $persistent, $bound) . "\n    {\n$body    }\n";
}

sub per_vertex
{
    my ($o, $statements, $after) = @_;
    if ($o->{by} eq 'edge')
    {
        return over_edges('edge', $o->{walk}, 0, $statements);
    }
    my $bounds = $o->{bug} eq 'bounds';
    return over_vertices($o->{by}, $o->{persistent}, $bounds,
        $ROW . over_edges($o->{by}, $o->{walk}, 0, $statements) . ($after // ''));
}

# Adds one for each edge to a higher vertex.
sub count_edges
{
    my ($o) = @_;
    my %add = (
        none => 'ADD(data1[0], (T)1);',
        bounds => 'ADD(data1[0], (T)1);',
        plain => 'ST(data1[0], LD(data1[0]) + (T)1);',
        scope => 'ADD_BLOCK(data1[0], (T)1);',
        read => "ADD(data1[0], (T)1);\n                ST(data2[v], LD(data1[0]));",
    );
    my $add = $add{$o->{bug}} or return '';
    return per_vertex($o, <<"END");
            if (v < n)
            {
                $add
            }
END
}

# The same with a sum in registers first, and one in a warp by shuffles.
sub count_in_warp
{
    my ($o) = @_;
    return '' if $o->{by} ne 'warp' && $o->{by} ne 'block';
    my %finish = (
        none => "if (lane == 0)\n        {\n            ADD(data1[v], sum);\n        }",
        plain => "if (lane == 0)\n        {\n            ST(data1[v], LD(data1[v]) + sum);\n        }",
        all => "ADD(data1[v], sum);\n        ST(data2[v], (T)LD(data1[v]));",
        scope => "if (lane == 0)\n        {\n            ADD_BLOCK(data1[0], sum);\n        }",
    );
    my $finish = $finish{$o->{bug}} or return '';
    return per_vertex($o, <<'END', <<"END") =~ s/(const int begin)/T sum = 0;\n        $1/r;
            if (v < n)
            {
                sum += LD(data2[n]);
            }
END
        for (int d = 16; d > 0; d /= 2)
        {
            sum += DOWN(sum, d);
        }
        $finish
END
}

# A block's sum in shared memory.
sub count_in_block
{
    my ($o) = @_;
    return '' if $o->{by} ne 'block';
    my $bug = $o->{bug};
    return '' if $bug !~ /^(none|first|inner|last|plain|scope)$/;
    my ($first, $inner, $last) = map { $bug eq $_ ? '        // no barrier' : '        BAR();' } qw(first inner last);
    my $add = $bug eq 'plain' ? 'ST(data1[0], LD(data1[0]) + LD(s[0]));' : $bug eq 'scope' ? 'ADD_BLOCK(data1[0], LD(s[0]));'
      : 'ADD(data1[0], LD(s[0]));';
    return "    __shared__ T s[64];\n" . per_vertex($o, <<'END', <<"END") =~ s/(const int begin)/T sum = 0;\n        $1/r;
            sum += v < n ? (T)1 : (T)0;
END
        ST(s[threadIdx.x], sum);
$first
        for (int d = 32; d > 0; d /= 2)
        {
            if (threadIdx.x < d)
            {
                ST(s[threadIdx.x], LD(s[threadIdx.x]) + LD(s[threadIdx.x + d]));
            }
    $inner
        }
        if (threadIdx.x == 0)
        {
            $add
        }
$last
END
}

# The largest value of a neighbour, of all the graph.
sub largest
{
    my ($o) = @_;
    return '' if $o->{type} =~ /float|double/;
    my %take = (
        none => 'MAX(data1[0], value);',
        guarded => "if (LD(data1[0]) < value)\n            {\n                MAX(data1[0], value);\n            }",
        plain => "if (LD(data1[0]) < value)\n            {\n                ST(data1[0], value);\n            }",
        scope => 'MAX_BLOCK(data1[0], value);',
        polled => "if (VLD(data1[0]) < value)\n            {\n                MAX(data1[0], value);\n            }",
        bounds => 'MAX(data1[0], value);',
    );
    my $take = $take{$o->{bug}} or return '';
    return per_vertex($o, <<"END");
            const T value = LD(data2[n]);
            $take
END
}

# Each vertex takes from its neighbours.
sub pull
{
    my ($o) = @_;
    return '' if $o->{by} eq 'edge';
    my $bug = $o->{bug};
    return '' if $bug !~ /^(none|in_place|all|bounds)$/ || ($bug eq 'all' && $o->{by} eq 'thread') ||
        ($bug eq 'none' && $o->{by} eq 'block') || ($bug ne 'all' && $o->{by} eq 'block');
    my $from = $bug eq 'in_place' ? 'data1' : 'data2';
    my $reduce = $o->{by} eq 'warp' ? <<'END' : '';
        for (int d = 16; d > 0; d /= 2)
        {
            best = max(best, DOWN(best, d));
        }
END
    my $only = $o->{by} eq 'warp' && $bug ne 'all' ? 'lane == 0' : 'best > (T)0';
    my $write = $bug eq 'bounds' ? 'v < num_vertices && ' : '';
    return per_vertex($o, <<"END", $reduce . <<"END") =~ s/(const int begin)/T best = 0;\n        $1/r;
            best = max(best, LD(${from}[n]));
END
        if ($write$only)
        {
            ST(data1[v], best);
        }
END
}

# Each vertex gives to its neighbours.
sub push_values
{
    my ($o) = @_;
    my $adds = $o->{type} =~ /float|double/ || $o->{walk} eq 'first';
    my %give = $adds ? (
        none => 'ADD(data1[n], value);',
        plain => 'ST(data1[n], LD(data1[n]) + value);',
        scope => 'ADD_BLOCK(data1[n], value);',
        in_place => 'ADD(data1[n], LD(data1[v]));',
        bounds => 'ADD(data1[n], value);',
    ) : (
        none => 'MAX(data1[n], value);',
        plain => "if (LD(data1[n]) < value)\n            {\n                ST(data1[n], value);\n            }",
        guarded => "if (LD(data1[n]) < value)\n            {\n                MAX(data1[n], value);\n            }",
        scope => 'MAX_BLOCK(data1[n], value);',
        in_place => 'MAX(data1[n], LD(data1[v]));',
        bounds => 'MAX(data1[n], value);',
    );
    my $give = $give{$o->{bug}} or return '';
    my $value = $o->{bug} eq 'bounds' ? 'v < num_vertices ? LD(data2[v]) : (T)0' : 'LD(data2[v])';
    return per_vertex($o, <<"END");
            const T value = $value;
            $give
END
}

# Vertices with a higher neighbour go into a list.
sub worklist
{
    my ($o) = @_;
    my %put = (
        none => "const int at = ADD(size[0], 1);\n                ST(worklist[at], n);",
        plain => "const int at = LD(size[0]);\n                ST(size[0], at + 1);\n                ST(worklist[at], n);",
        scope => "const int at = ADD_BLOCK(size[0], 1);\n                ST(worklist[at], n);",
        size => "const int at = ADD(size[0], 1);\n                ST(worklist[at], LD(size[0]) + n);",
        read => "const int at = ADD(size[0], 1);\n                ST(worklist[at], n);\n                ST(data2[v], (T)(at > 0 ? LD(worklist[at - 1]) : 0));",
        once => "if (EXCH(data1[n], (T)1000) != (T)1000)\n                {\n                    ST(worklist[ADD(size[0], 1)], n);\n                }",
        twice => "if (LD(data1[n]) != (T)1000)\n                {\n                    ST(data1[n], (T)1000);\n                    ST(worklist[ADD(size[0], 1)], n);\n                }",
    );
    my $put = $put{$o->{bug}} or return '';
    return '' if $o->{bug} eq 'once' && $o->{type} =~ /double/;
    return per_vertex($o, <<"END");
            if (v < n)
            {
                $put
            }
END
}

# A warp asks for places in the list by one atomic.
sub worklist_of_warp
{
    my ($o) = @_;
    my $bug = $o->{bug};
    return '' if $o->{by} ne 'thread' || $o->{persistent} || $bug !~ /^(none|plain|scope)$/;
    my $add = {none => 'at = ADD(size[0], __popc(all));', plain => "at = LD(size[0]);\n        ST(size[0], at + __popc(all));",
        scope => 'at = ADD_BLOCK(size[0], __popc(all));'}->{$bug};
    my $than = {forward => '<', reverse => '>', first => '<=', last => '>=', until => '!='}->{$o->{walk}};
    return <<"END";
    bool wanted = false;
    if (tid < num_vertices)
    {
        wanted = LD(list[LD(index[tid])]) $than tid;
    }
    const unsigned all = BALLOT(wanted);
    int at = 0;
    if (lane == 0 && all != 0)
    {
        $add
    }
    at = BROADCAST(at);
    if (wanted)
    {
        ST(worklist[at + __popc(all & ((1u << lane) - 1))], tid);
    }
END
}

# Follows parents to a root, and shortens the way. data1[v] <= v, as it begins.
sub compress
{
    my ($o) = @_;
    return '' if $o->{type} =~ /float|double|unsigned/ || $o->{walk} ne 'forward' && $o->{walk} ne 'reverse';
    my %ld = (none => 'VLD', plain => 'LD', mixed => 'LD', store => 'VLD');
    my $bug = $o->{bug};
    my $ld = $ld{$bug} or return '';
    my $link = {none => 'MIN(data1[root], (T)n);', mixed => 'MIN(data1[root], (T)n);', plain => 'ST(data1[root], (T)n);',
        store => 'ST(data1[root], (T)n);'}->{$bug};
    return per_vertex($o, <<"END");
            if (n < v)
            {
                int root = v;
                for (int up = (int)$ld(data1[root]); up < root; up = (int)$ld(data1[root]))
                {
                    root = up;
                }
                if (n < root)
                {
                    $link
                }
            }
END
}

# A flag in shared memory says whether the block has found something.
sub flag_of_block
{
    my ($o) = @_;
    return '' if $o->{by} ne 'block' || !$o->{persistent};
    my $bug = $o->{bug};
    return '' if $bug !~ /^(none|first|inner|last|plain)$/;
    my ($first, $inner, $last) = map { $bug eq $_ ? '        // no barrier' : '        BAR();' } qw(first inner last);
    my $set = $bug eq 'plain' ? 'ST(found, (int)threadIdx.x);' : 'OR(found, 1);';
    my $body = $ROW . <<"END" . over_edges('block', $o->{walk}, 0, <<"END2") . <<"END3";
        if (threadIdx.x == 0)
        {
            ST(found, 0);
        }
$first
END
            if (v != n)
            {
                $set
            }
END2
$inner
        if (threadIdx.x == 40)
        {
            ST(data1[v], (T)LD(found));
        }
$last
END3
    return "    __shared__ int found;\n" . over_vertices('block', 1, 0, $body);
}

# Lanes exchange through shared memory.
sub shared_of_warp
{
    my ($o) = @_;
    return '' if $o->{by} ne 'warp' || !$o->{persistent};
    my $bug = $o->{bug};
    return '' if $bug !~ /^(none|first|last)$/;
    my ($first, $last) = map { $bug eq $_ ? '        // no barrier' : '        WSYNC();' } qw(first last);
    my $partner = {forward => 'lane ^ 1', reverse => '31 - lane', first => '(lane + 1) % 32', last => 'lane / 2', until => 'lane & 24'}->{$o->{walk}};
    return "    __shared__ T s[64];\n    const int first = threadIdx.x / 32 * 32;\n" . over_vertices('warp', 1, 0, <<"END");
        const int end = LD(index[v + 1]);
        ST(s[threadIdx.x], (T)(lane < end ? LD(list[lane]) : 0));
$first
        const T other = LD(s[first + ($partner)]);
        if (lane < 2)
        {
            ADD(data1[v], other);
        }
$last
END
}

# Two steps of which the second reads what others have written in the first.
sub two_steps
{
    my ($o) = @_;
    return '' if $o->{by} ne 'thread' || !$o->{persistent};
    my $bug = $o->{bug};
    return '' if $bug !~ /^(none|barrier|nothing)$/;
    my $wait = $bug eq 'nothing' ? '    // no barrier' : '    BAR();';
    my $loop = edge_loop('thread', $o->{walk}, 0);
    my $from = $bug eq 'none' ? 'v / total * total + n % 64 + (int)(blockIdx.x * blockDim.x)' : 'n';
    return <<"END";
    for (int v = tid; v < num_vertices; v += total)
    {
        ST(data1[v], (T)(LD(index[v + 1]) - LD(index[v])));
    }
$wait
    for (int v = tid; v < num_vertices; v += total)
    {
$ROW        T sum = 0;
        $loop
        {
            const int n = LD(list[e]);
            const int from = $from;
            sum += from < num_vertices ? LD(data1[from]) : (T)0;
        }
        ST(data2[v], sum);
    }
END
}

my @patterns = (
    [\&count_edges, qw(none plain scope read bounds)],
    [\&count_in_warp, qw(none plain all scope)],
    [\&count_in_block, qw(none first inner last plain scope)],
    [\&largest, qw(none guarded plain scope polled bounds)],
    [\&pull, qw(none in_place all bounds)],
    [\&push_values, qw(none plain guarded scope in_place bounds)],
    [\&worklist, qw(none plain scope size read once twice)],
    [\&worklist_of_warp, qw(none plain scope)],
    [\&compress, qw(none plain mixed store)],
    [\&flag_of_block, qw(none first inner last plain)],
    [\&shared_of_warp, qw(none first last)],
    [\&two_steps, qw(none barrier nothing)],
);

# ---- All codes, in a random order, as many as are wanted: each pattern in turn ----

my $state = 20251;

sub random_below
{
    my ($n) = @_;
    $state = ($state * 1103515245 + 12345) % 2**31;
    return int($state / 65536) % $n;
}

my @queues;
for my $pattern (@patterns)
{
    my ($make, @bugs) = @$pattern;
    my (@right, @wrong);
    for my $bug (@bugs)
    {
        for my $type (@types)
        {
            for my $by (@by)
            {
                for my $walk ($by eq 'edge' ? 'forward' : @walks)
                {
                    for my $persistent ($by eq 'edge' ? 1 : (0, 1))
                    {
                        my $o = {type => $type, by => $by, walk => $walk, persistent => $persistent, bug => $bug};
                        my $text = $make->($o) or next;
                        push @{$bug =~ /^(none|guarded|polled|once)$/ ? \@right : \@wrong}, {%$o, text => $text};
                    }
                }
            }
        }
    }
    for my $list (\@right, \@wrong)
    {
        for (my $i = @$list - 1; $i > 0; --$i)
        {
            my $k = random_below($i + 1);
            @$list[$i, $k] = @$list[$k, $i];
        }
    }
    push @queues, [\@right, \@wrong];
}
my @codes;
for (my $i = 0; @codes < $NUM_CODES; ++$i)
{
    my $queue = $queues[$i % @queues];
    my ($mine, $other) = $i / @queues % 3 == 0 ? @$queue : reverse @$queue;
    my $code = shift @$mine // shift @$other;
    push @codes, $code if $code;
}

# ---- The file ----

my @mine = map { [$_, $codes[$_]] } grep { $_ % $parts == $part } 0 .. $#codes;
print qq(// Part $part of $parts of the graph codes. Written by generate.pl.\n#include "trace.h"\n);
for (@mine)
{
    my ($number, $o) = @$_;
    my $name = sprintf 'code_%03d', $number;
    my $kind = ($o->{persistent} ? 'persistent' : 'once') . ", by $o->{by}, $o->{walk}, bug: $o->{bug}";
    print <<"END";

// $kind
__global__ void $name(const int *index, const int *list, const int *source, int num_vertices, int num_edges,
                         $o->{type} *data1, $o->{type} *data2, int *worklist, int *size)
{
    typedef $o->{type} T;
    const int tid = blockIdx.x * blockDim.x + threadIdx.x, total = gridDim.x * blockDim.x;
    const int lane = threadIdx.x % 32;
    (void)total, (void)lane;
$o->{text}}
END
}
print <<'END';

template <class T>
static void run(void (*kernel)(const int *, const int *, const int *, int, int, T *, T *, int *, int *), const Graph &g,
                int num_blocks)
{
    Arrays a;
    a.make<T>(g);
    kernel<<<num_blocks, 64>>>(a.index, a.list, a.source, g.num_vertices, g.num_edges, (T *)a.data1, (T *)a.data2,
                               a.worklist, a.size);
    cudaDeviceSynchronize();
    look_at_launch(a);
    a.free_all();
}

int main()
{
    for (int num_vertices : {5, 29, 100})
    {
        const Graph g = make_graph(num_vertices, 7);
        const int few = num_vertices < 64 ? 2 : (num_vertices + 63) / 64;
        const int many = num_vertices < 32 ? num_vertices : 32;
        (void)few, (void)many;
END
for (@mine)
{
    my ($number, $o) = @$_;
    my $blocks = $o->{persistent} || $o->{by} eq 'thread' ? 'few' : $o->{by} eq 'warp' ? '(num_vertices + 2) / 2' : 'num_vertices + 1';
    $blocks = 'many' if $o->{by} eq 'block' && $o->{persistent};
    printf "        run(code_%03d, g, %s);\n", $number, $blocks;
}
print "    }\n    tell();\n    return 0;\n}\n";
