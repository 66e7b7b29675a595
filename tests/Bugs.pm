# Small bugs for a program's source: where one can be planted, and what it changes. It knows as much
# of C as that takes. A bug stands in the body of a function. None stands
#   - in a comment, a string or a line of the preprocessor;
#   - in what only prints, times, reads options and files, or frees memory;
#   - in what the CPU backend never compiles or runs;
#   - in what compares or poisons: a right program also passes a check that asks for less. But a
#     whole check may be left out;
#   - where it would be none in any program: in a seed, which chooses data, in the order of two numbers
#     that are added, in a grid or an array that is larger than needed, in the place of an output of
#     a table of versions.
package Bugs;
use strict;
use warnings;
use Exporter 'import';

our @EXPORT = qw(bugs planted change kernels_that_compute);

# A statement that begins so computes nothing.
my $ONLY_TELLS = qr/^(?:
    s?n?printf | [fv]+printf | f?put(?:s|char|c) | fflush | (?:print|show|draw|write|close)_\w+
  | usage_error | give_up\w* | exit | die | refuse\w* | remove\w* | perror | note_\w+ | catch_\w+
  | parse_args | add_(?:number|flag|text|real|positional|input) | args\.\w+
  | ladder\.(?:bytes|ceiling|operations|result|error|what) | static_assert | CHECK_LAUNCH | end_if_failed
  | free(?:_\w+)? | delete | destroy\w* | (?:CHECK\w*\()?cu\w*(?:Free\w*|Destroy\w*)
  | poison(?:_\w+)? | (?:wrong|different)\ \+= | (?:(?:const\ )?bool\ )?\w*right\ (?:=|&=)
)(?!\w)/x;
my $CHECKS = qr/^(?:check_\w+|promise|expect\w*) \(/;
my $ONLY_TIMES = qr/\b(?:POISON_BYTE | time_(?:kernel|host) | host_clock | \w+_ceiling
    | cudaEventElapsedTime | fflush | ferror)\b/x;
# Nor does a function of the host whose name begins so.
my $NAME_ONLY_TELLS = qr/^(?:print|show|draw|write|time|timeline|read|header|usage
    |compare|is_right|are_same|holds|count_different)(?:_|$)/x;
my $DECLARES = qr/^(?:const |static )*[\w:]+ [*& ]*(?:const )?(\w+) [=;\[{]/;
my $NOT_HERE = qr/\b(?:ON_GPU|HAVE_\w+|_OPENMP|USE_DP)\b/;    # conditions that are false on the CPU

# ---- Reading ----

# The tokens of a source: {text}, {at}, {kind}: name, number, op, string or line (of the
# preprocessor), and {is_wrong}: the comment before it begins with WRONG:.
sub tokens
{
    my ($source) = @_;
    my (@tokens, $is_wrong);
    for ($source)
    {
        pos = 0;
        while (pos() < length)
        {
            my $at = pos;
            if (/\G\s+/gc)
            {
                next;
            }
            if (m{\G(?://[^\n]*|/\*.*?\*/)}gcs)
            {
                $is_wrong = 1 if substr($source, $at, 10) =~ m{^// WRONG:};
                next;
            }
            my $kind =
                /\G#(?:[^\n\\]|\\.)*/gcs                 ? 'line'
              : /\G(?:u8|[LuU])?"(?:[^"\\\n]|\\.)*"/gc   ? 'string'
              : /\G'(?:[^'\\\n]|\\.)+'/gc                ? 'string'
              : /\G[A-Za-z_]\w*/gc                       ? 'name'
              : /\G\.?\d(?:[eEpP][-+]|['\w.])*/gc       ? 'number'
              : /\G(?:<<<|>>>|<<=|>>=|\.\.\.)/gc         ? 'op'
              : /\G(?:->|::|[-+*\/%&|^<>=!]=|\+\+|--|&&|\|\||<<|>>|.)/gc ? 'op'
              : die "cannot read the source\n";
            push @tokens, {text => substr($source, $at, pos() - $at), at => $at, kind => $kind,
                is_wrong => $is_wrong};
            $is_wrong = 0;
        }
    }
    return @tokens;
}

# Without the lines of the preprocessor, and without what stands in those parts of #if that the CPU
# backend does not compile.
sub compiled
{
    my (@tokens) = @_;
    my (@kept, @ifs);    # of each #if around a token: {known} and {compiled}
    for my $token (@tokens)
    {
        if ($token->{kind} ne 'line')
        {
            push @kept, $token unless grep { !$_->{compiled} } @ifs;
            next;
        }
        my ($word, $rest) = $token->{text} =~ /^#\s*(\w+)(.*)/s or next;
        if ($word =~ /^if/)
        {
            my $known = $rest =~ $NOT_HERE;
            my $negated = $word eq 'ifndef' || $rest =~ /^\s*!/;
            push @ifs, {known => $known, compiled => !$known || $negated};
        }
        elsif ($word =~ /^el/ && @ifs)
        {
            $ifs[-1]{compiled} = !$ifs[-1]{compiled} if $ifs[-1]{known};
        }
        elsif ($word eq 'endif')
        {
            pop @ifs;
        }
    }
    return @kept;
}

# Sets {mate} of each bracket: the number of the other one.
sub match_brackets
{
    my ($tokens) = @_;
    my @open;
    for my $i (0 .. $#$tokens)
    {
        next if $tokens->[$i]{kind} ne 'op';
        my $text = $tokens->[$i]{text};
        push @open, $i if $text =~ /^[(\[{]$/;
        if ($text =~ /^[)\]}]$/ && @open)
        {
            my $mate = pop @open;
            $tokens->[$i]{mate} = $mate;
            $tokens->[$mate]{mate} = $i;
        }
    }
}

# The functions with a body: {name}, {is_kernel}, {first} and {last} token of the body. What is
# wrong on purpose is left out.
sub functions
{
    my ($tokens) = @_;
    my @functions;
    for (my $i = 0; $i < @$tokens; $i++)
    {
        my $text = $tokens->[$i]{text};
        next unless $text eq '{' && defined $tokens->[$i]{mate};
        my $j = $i - 1;
        $j-- while $j > 0 && $tokens->[$j]{text} =~ /^(?:const|override|noexcept)$/;
        next unless $j > 0 && $tokens->[$j]{text} eq ')' && defined $tokens->[$j]{mate};
        my $begin = $i;
        $begin-- while $begin > 0 && $tokens->[$begin - 1]{text} !~ /^[;{}]$/;
        my @head = @{$tokens}[$begin .. $i - 1];
        my $before = $tokens->[$j]{mate} - 1;    # the name, before the parameters
        my $name =
          $before >= $begin && $tokens->[$before]{kind} eq 'name' ? $tokens->[$before]{text} : '';
        my $is_kernel = grep { $_->{text} =~ /^__(?:global|device)__$/ } @head;
        my $is_global = grep { $_->{text} eq '__global__' } @head;
        push @functions,
          { name => $name,
            is_kernel => $is_kernel,
            is_global => $is_global,
            first => $i,
            last => $tokens->[$i]{mate}}
          unless grep { $_->{is_wrong} } @head;
        $i = $tokens->[$i]{mate};
    }
    return @functions;
}

# The statements of a body, innermost first where one holds a lambda with others: {first} and {last}
# token, {text}. A head as `if (...)` is a statement, too, and {block} is the { after it.
sub statements
{
    my ($tokens, $function) = @_;
    my (@statements, @outer);
    my $first = $function->{first} + 1;
    my $add = sub {
        my ($last, $block) = @_;
        push @statements, {first => $first, last => $last, block => $block,
            text => join ' ', map { $_->{text} } @{$tokens}[$first .. $last]}
          if $last >= $first;
    };
    for (my $i = $first; $i < $function->{last}; $i++)
    {
        my ($text, $before) = ($tokens->[$i]{text}, $tokens->[$i - 1]{text});
        if ($text eq ';')
        {
            $add->($i);
            $first = $i + 1;
        }
        elsif ($text eq '{' && $before =~ /^(?:\)|\]|else|do|[;{}]|mutable)$/)    # not {1, 2}
        {
            my $head = join ' ', map { $_->{text} } @{$tokens}[$first .. $i - 1];
            if ($head eq '' || $head =~ /^(?:if|for|while|else|do|switch)\b/)
            {
                $add->($i - 1, $i);
                push @outer, undef;
            }
            else    # a lambda's, and the statement goes on after it
            {
                push @outer, $first;
            }
            $first = $i + 1;
        }
        elsif ($text eq '{')
        {
            $i = $tokens->[$i]{mate} // $i;
        }
        elsif ($text eq '}')
        {
            $first = pop(@outer) // $i + 1;
        }
        elsif ($text eq '(' && $before eq 'for')
        {
            $i = $tokens->[$i]{mate} // $i;
        }
    }
    return @statements;
}

# Sets {tells} of each token in a statement that only prints, times or cleans up, in the head of a
# block of such statements, and in the declaration of what only they use.
sub mark_telling
{
    my ($tokens, $function, @statements) = @_;
    my @left = grep { $_->{text} !~ /^[{};]$/ } @statements;
    my $mark = sub {
        my ($statement) = @_;
        $tokens->[$_]{tells} = 1 for $statement->{first} .. $statement->{last};
        $statement->{tells} = 1;
    };
    for (@left)
    {
        my $is_head = defined $_->{block};
        $tokens->[$_]{tells} = 1 for $_->{text} =~ $CHECKS ? $_->{first} .. $_->{last} : ();
        $mark->($_) if $_->{text} =~ /\bON_GPU\b|\brepeats\b/ || (!$is_head
            && ($_->{text} =~ s/ ?(\(|\.|->) ?/$1/gr =~ $ONLY_TELLS
                || $_->{text} =~ $ONLY_TIMES));
        if ($_->{text} =~ /^if \( ON_GPU\b/)
        {
            $tokens->[$_]{tells} = 1 for $_->{block} .. $tokens->[$_->{block}]{mate} // $_->{block};
        }
    }
    my %places;    # of each name
    push @{$places{$tokens->[$_]{text}}}, $_
      for grep { $tokens->[$_]{kind} eq 'name' } $function->{first} .. $function->{last};
    for (my $more = 1; $more;)
    {
        $more = 0;
        for my $statement (grep { !$_->{tells} } @left)
        {
            my $tells;
            if (defined $statement->{block})
            {
                my $end = $tokens->[$statement->{block}]{mate} // next;
                my @inside = grep { $_->{first} > $statement->{block} && $_->{last} < $end } @left;
                $tells = !grep { !$_->{tells} && $_->{text} !~ /^(?:break|return|continue) ;/ }
                  @inside;
            }
            elsif ($statement->{text} =~ $DECLARES)
            {
                my ($first, $last) = @{$statement}{qw(first last)};
                $tells = !grep { !$tokens->[$_]{tells} && ($_ < $first || $_ > $last) }
                  @{$places{$1}};
            }
            next unless $tells;
            $mark->($statement);
            $more = 1;
        }
    }
}

# ---- Planting ----

my %COMPARED = ('<' => ['<=', '>='], '<=' => ['<', '>'], '>' => ['>=', '<='], '>=' => ['>', '<'],
    '==' => ['!='], '!=' => ['==']);
my %OTHER = ('+' => '-', '-' => '+', '*' => '+', '/' => '*', '%' => '/', '>>' => '<<', '<<' => '>>',
    '&' => '|', '|' => '&', '^' => '|');
my %ASSIGNED = ('+=' => '-=', '-=' => '+=', '*=' => '+=', '|=' => '&=', '&=' => '|=');
my %LOGIC = ('&&' => '||', '||' => '&&');
my %NEIGHBOUR = (cudaMemcpyHostToDevice => 'cudaMemcpyDeviceToHost',
    cudaMemcpyDeviceToHost => 'cudaMemcpyHostToDevice',
    cudaMemcpyDeviceToDevice => 'cudaMemcpyHostToDevice');
my @PAIRS = map { [split] } ('M N', 'row column', 'x y', 'i j', 'n1 n2', 'h_x h_y', 'd_x d_y',
    'd_y d_z', 'tid bid', 'first last', 'begin end', 'min max', 'fmin fmax', 'atomicMin atomicMax',
    'sin cos');
my %SIBLING = map { ($_->[0] => $_->[1], $_->[1] => $_->[0]) } @PAIRS;
my $FUNCTION_WITH_SIBLING = qr/^(?:f?m|atomic|sin|cos)/;
my $BARRIER = qr/^(?:CHECK\()?(?:__sync\w+ | __threadfence\w* | \w+\.sync | cg::sync
    | cuda\w+Synchronize | cudaStreamWaitEvent)\(/x;
my $CLEARS = qr/^(?:CHECK\()?cudaMemset/;
# Which argument of a function is a size.
my %SIZE = (cudaMalloc => 1, cudaMallocManaged => 1, cudaMallocHost => 1, cudaMallocAsync => 1,
    malloc => 0, cudaMemset => 2, cudaMemsetAsync => 2, cudaMemcpy => 2, cudaMemcpyAsync => 2,
    cudaMemcpyToSymbol => 2, cudaMemcpyFromSymbol => 2, memcpy => 2, memset => 2);
# Two arguments of these may change places, or they are no calls.
my $EITHER_WAY = qr/^(?:min|max|sum_of_squares|fmin\w*|fmax\w*|hypot\w*|swap|check_true|if|for|while|switch|return|sizeof
    |CHECK\w*|\w+_cast|__launch_bounds__|calloc)$/x;
# What makes data of a seed, and adds two arrays: the book's kernel and its reference.
my $MAKES_DATA = qr/^(?:random_\w+|hash_bits)$/;
my $ZERO = qr/^(?:0|0\.0f?|false|NULL|nullptr)$/;
my $ADDS = qr/^add(?:_\w+)?$/;
my $ADDENDS = qr/^([dh]_)?(?:x, \g1?y|y, \g1?x|a, \g1?b|b, \g1?a)$/;
# How a statement begins that can be left out: with what is called, assigned or counted.
my $ACTS = qr/^(?:\*\ |\+\+\ |--\ )?[\w:]+\ (?:[.(\[=<] | -> | :: | [-+*\/%&|^]= | <<= | >>=
    | \+\+ | --)/x;
my $IS_NO_ACTION = qr/^(?:return|using|typedef|case|default|goto|extern|const|static|else|dim3)\b/;

# The arguments between the bracket at token $open and its mate: [first, last token] of each.
sub arguments
{
    my ($tokens, $open) = @_;
    my $close = $tokens->[$open]{mate} // return;
    my (@arguments, $first);
    $first = $open + 1;
    for (my $i = $first; $i <= $close; $i++)
    {
        my $text = $tokens->[$i]{text};
        return if $text eq ';';
        if ($i == $close || $text eq ',')
        {
            push @arguments, [$first, $i - 1] if $i > $first;
            $first = $i + 1;
        }
        elsif ($text =~ /^[(\[{]$/)
        {
            $i = $tokens->[$i]{mate} // return;
        }
    }
    return @arguments;
}

# What an argument is, by its text: an address, an array of the device, ...
sub sort_of
{
    return $_[0] =~ /^(&|[dhs]_(?=\w+$))/ ? $1 : '';
}

# All bugs that can be planted in a source: {kind}, {at} and {length} of what goes, {new},
# {function}, {is_kernel}.
sub bugs
{
    my ($source) = @_;
    my @tokens = compiled(tokens($source));
    match_brackets(\@tokens);
    my @bugs;
    for my $function (functions(\@tokens))
    {
        next if !$function->{is_kernel} && $function->{name} =~ $NAME_ONLY_TELLS;
        my @statements = statements(\@tokens, $function);
        mark_telling(\@tokens, $function, @statements);
        my ($name, $is_kernel) = @{$function}{qw(name is_kernel)};
        push @bugs, map { +{%$_, function => $name, is_kernel => $is_kernel} }
          bugs_of_statements($source, \@tokens, @statements),
          bugs_of_tokens($source, \@tokens, $function);
    }
    return @bugs;
}

# The names of the kernels that the CPU backend compiles and that write to an array: others print.
sub kernels_that_compute
{
    my @tokens = compiled(tokens($_[0]));
    match_brackets(\@tokens);
    my @names;
    for my $function (grep { $_->{is_global} } functions(\@tokens))
    {
        my $body = join ' ', map { $_->{text} } @tokens[$function->{first} .. $function->{last}];
        push @names, $function->{name} if $body =~ m{\] (?:[-+*/%&|^]|<<|>>)?= |\batomic};
    }
    return @names;
}

# What replaces the tokens from the first to the last one: a text, or what a sub makes of theirs.
sub bug
{
    my ($kind, $source, $tokens, $first, $last, $new) = @_;
    my $at = $tokens->[$first]{at};
    my $length = $tokens->[$last]{at} + length($tokens->[$last]{text}) - $at;
    return {kind => $kind, at => $at, length => $length,
        new => ref $new ? $new->(substr $source, $at, $length) : $new};
}

# Statements that are left out, and conditions that always or never hold.
sub bugs_of_statements
{
    my ($source, $tokens, @statements) = @_;
    my @bugs;
    for my $statement (grep { !$_->{tells} } @statements)
    {
        my ($text, $first, $last) = @{$statement}{qw(text first last)};
        if (defined $statement->{block})
        {
            next unless $text =~ /^if \(/ && $tokens->[$first + 1]{mate} == $last;
            push @bugs, map { bug('condition', $source, $tokens, $first + 2, $last - 1, $_) }
              qw(true false);
            next;
        }
        my $is_of_template = $text =~ /^[\w:]+ <(?!<)/ && $text !~ /<<</;    # std::vector<int> x(5)
        next if $text !~ $ACTS || $text =~ $IS_NO_ACTION || $is_of_template;
        my $squeezed = $text =~ s/ //gr;
        my $kind =
            $squeezed =~ $BARRIER ? 'barrier'
          : $squeezed =~ $CLEARS  ? 'memset'
          :                         'statement';
        push @bugs, bug($kind, $source, $tokens, $first, $last, ';');
    }
    return @bugs;
}

# Of each token: in which part of the head of a `for` it stands, from 1.
sub parts_of_for
{
    my ($tokens, $function) = @_;
    my @parts;
    for my $i ($function->{first} + 1 .. $function->{last} - 1)
    {
        next unless $tokens->[$i]{text} eq 'for' && defined $tokens->[$i + 1]{mate};
        my $part = 1;
        for my $j ($i + 2 .. $tokens->[$i + 1]{mate} - 1)
        {
            $parts[$j] = $part;
            $part++ if $tokens->[$j]{text} eq ';';
        }
    }
    return @parts;
}

# All the others, each at a token.
sub bugs_of_tokens
{
    my ($source, $tokens, $function) = @_;
    my @for = parts_of_for($tokens, $function);
    my %is_named = map { $tokens->[$_]{text} => 1 } $function->{first} .. $function->{last};
    my @bugs;
    my $add = sub {
        my ($kind, $first, $last, @new) = @_;
        push @bugs, map { bug($kind, $source, $tokens, $first, $last, $_) } @new;
    };
    for my $i ($function->{first} + 1 .. $function->{last} - 1)
    {
        next if $tokens->[$i]{tells};
        my ($text, $kind) = @{$tokens->[$i]}{qw(text kind)};
        add_of_operator($add, $source, $tokens, $i, \@for) if $kind eq 'op';
        add_of_index($add, $tokens, $i) if $text eq '[';
        add_of_number($add, $tokens, $i) if $kind eq 'number';
        add_of_name($add, $tokens, $i, \%is_named) if $kind eq 'name';
        add_of_call($add, $source, $tokens, $i) if $text eq '(';
    }
    return @bugs;
}

# An operator with white space on both sides has two operands: clang-format sees to that.
sub add_of_operator
{
    my ($add, $source, $tokens, $i, $for) = @_;
    my ($text, $at) = @{$tokens->[$i]}{qw(text at)};
    my ($before, $after) = @{$tokens}[$i - 1, $i + 1];
    my $part = $for->[$i] // 0;
    $add->('logic', $i, $i, '') if $text eq '!' && $after->{kind} eq 'name';
    $add->('stride', $i, $i + 1, "$after->{text} += 2")
      if $part == 3 && $text eq '++' && $after->{kind} eq 'name';
    return unless substr($source, $at - 1, 2 + length $text) =~ /^\s.*\s\z/s;

    # Of two equal numbers either one is the smaller one.
    my @compared = @{$COMPARED{$text} // []};
    shift @compared if $text =~ /^[<>]/ && is_minimum($tokens, $i);
    $add->('comparison', $i, $i, @compared) if @compared;
    $add->('end', $i, $i, "+ 1 $text") if $part == 2 && $text =~ /^<=?$/;
    my $has_left = $before->{kind} ne 'op' || $before->{text} =~ /^[)\]]$/;
    # `(N - 1) / B + 1` is N / B, rounded up. With the other sign it may be one more: a block none
    # of whose threads has an element.
    my $rounds_up = join(' ', map { $_->{text} // '' } @{$tokens}[$i .. $i + 3]) eq '- 1 ) /';
    $add->('operator', $i, $i, $OTHER{$text})
      if $OTHER{$text} && $has_left && !$rounds_up && $before->{text} ne 'seed';
    $add->('operator', $i, $i, $ASSIGNED{$text}) if $ASSIGNED{$text};
    $add->('logic', $i, $i, $LOGIC{$text}) if $LOGIC{$text};
    return unless $part == 3 && $text =~ m{^(?:[-+*/]|<<|>>)=$};
    my $last = $i + 1;
    $last++ while ($for->[$last + 1] // 0) == 3 && $tokens->[$last + 1]{text} ne ',';
    $add->('stride', $i + 1, $last, sub { "2 * ($_[0])" });
    $add->('stride', $i + 1, $last, sub { "($_[0]) / 2" }) if $text eq '+=';
}

# Whether the < or > is that of `a < b ? a : b` or of `a < b ? b : a`.
sub is_minimum
{
    my ($tokens, $i) = @_;
    my @parts = ('');    # the right operand, and what stands before and after the :
    for (my $j = $i + 1; $j < @$tokens; $j++)
    {
        my $text = $tokens->[$j]{text};
        last if $text =~ /^[;,)}\]]$/;
        if (($text eq '?' && @parts == 1) || ($text eq ':' && @parts == 2))
        {
            push @parts, '';
            next;
        }
        my $mate = $text =~ /^[(\[]$/ ? $tokens->[$j]{mate} // return 0 : $j;
        $parts[-1] .= " $tokens->[$_]{text}" for $j .. $mate;
        $j = $mate;
    }
    return 0 if @parts != 3;
    my ($right, $then, $else) = @parts;
    my $left = $right eq $then ? $else : $right eq $else ? $then : return 0;
    my $first = $i - split ' ', $left;
    return 0 if $first < 1 || $left ne join '', map { " $_->{text}" } @{$tokens}[$first .. $i - 1];
    return $tokens->[$first - 1]{text} =~ /^(?:=|\(|,|return|;|\{)$/ || 0;
}

# Whether the name of an array is declared here: `int a[N]`, `int n, *a[N]`.
sub is_declared
{
    my ($tokens, $array) = @_;
    my $i = $array - 1;
    $i-- while $tokens->[$i]{text} =~ /^(?:\*|const)$/;
    return $tokens->[$i]{text} ne 'return' if $tokens->[$i]{kind} eq 'name';
    return 0 if $tokens->[$i]{text} ne ',';
    for (; $i > 0 && $tokens->[$i]{text} !~ /^[;{]$/; $i--)
    {
        return 0 if $tokens->[$i]{text} =~ /^[(\[]$/;
        $i = $tokens->[$i]{mate} // $i if $tokens->[$i]{text} =~ /^[)\]}]$/;
    }
    my $begins = join ' ', map { $_->{text} } @{$tokens}[$i + 1 .. $array];
    return "$begins [" =~ /^(?:const |static )*[\w:]+ [*& ]*\w+ [=\[{,]/;
}

# The neighbour of an element. The [ of a declaration is no index.
sub add_of_index
{
    my ($add, $tokens, $i) = @_;
    my $close = $tokens->[$i]{mate} // return;
    my $array = $i - 1;    # its name, before other indices
    $array = ($tokens->[$array]{mate} // return) - 1 while $tokens->[$array]{text} eq ']';
    return if $close == $i + 1 || $tokens->[$i - 1]{text} eq 'operator';
    return if $tokens->[$i - 1]{kind} ne 'name' && $tokens->[$i - 1]{text} !~ /^[)\]]$/;
    return if is_declared($tokens, $array) || $tokens->[$array]{text} eq 'outputs';
    $add->('index', $i + 1, $close - 1, sub { "$_[0] + 1" }, sub { "$_[0] - 1" });
}

# A number a little larger or smaller. An array that is larger than needed does no harm.
sub add_of_number
{
    my ($add, $tokens, $i) = @_;
    my $text = $tokens->[$i]{text};
    return if $tokens->[$i - 2]{text} =~ /^(?:seed|outputs)$/;
    my $is_room = $tokens->[$i - 1]{text} eq '[' && is_declared($tokens, $i - 2)
      || is_shared_memory($tokens, $i);
    $add->('constant', $i, $i, $is_room ? () : $text + 1, $text > 1 ? $text - 1 : ())
      if $text =~ /^(?:0|[1-9]\d*)$/;
    $add->('constant', $i, $i, "($text * 1.5)")
      if $text =~ /^[\d.]*[1-9][\d.]*[fF]?$/ && $text =~ /\./;
}

# Whether the number is the third one between <<< and >>>.
sub is_shared_memory
{
    my ($tokens, $i) = @_;
    my $commas = 0;
    for (; $i > 0 && $tokens->[$i]{text} !~ /^[;{]$/; $i--)
    {
        return $commas == 2 if $tokens->[$i]{text} eq '<<<';
        $commas++ if $tokens->[$i]{text} eq ',';
        $i = $tokens->[$i]{mate} // $i if $tokens->[$i]{text} =~ /^[)\]}]$/;
    }
    return 0;
}

# What is called with the bracket at token $open: a function, or the kernel before <<< ... >>>.
sub callee
{
    my ($tokens, $open) = @_;
    my $i = $open - 1;
    if ($tokens->[$i]{text} eq '>>>')
    {
        $i-- while $i > 0 && $tokens->[$i]{text} !~ /^(?:<<<|[;{])$/;
        $i--;
        if ($tokens->[$i]{text} eq '>')    # of a template
        {
            $i-- while $i > 0 && $tokens->[$i]{text} !~ /^[<;{]$/;
            $i--;
        }
    }
    return $tokens->[$i]{text};
}

# Another variable, another axis of a grid, the other direction of a copy.
sub add_of_name
{
    my ($add, $tokens, $i, $is_named) = @_;
    my $text = $tokens->[$i]{text};
    my ($before, $after) = @{$tokens}[$i - 1, $i + 1];
    $add->('copy', $i, $i, $NEIGHBOUR{$text}) if $NEIGHBOUR{$text};
    $add->('axis', $i + 2, $i + 2, $tokens->[$i + 2]{text} eq 'x' ? 'y' : 'x')
      if $text =~ /^(?:threadIdx|blockIdx|blockDim|gridDim)$/ && $after->{text} eq '.';

    my $sibling = $SIBLING{$text} // return;
    return if $before->{kind} eq 'name' && $before->{text} ne 'return';    # it is declared here
    return if $before->{text} =~ /^(?:[*&.]|->)$/ && $text =~ /^[xy]$/;
    $add->('variable', $i, $i, $sibling)
      if $is_named->{$sibling} || $text =~ $FUNCTION_WITH_SIBLING;
}

# Two arguments that change places, and a size that is too small.
sub add_of_call
{
    my ($add, $source, $tokens, $i) = @_;
    my $name = $tokens->[$i - 1];
    return if $name->{kind} ne 'name' && $name->{text} ne '>>>' || $name->{text} =~ $EITHER_WAY;
    my @arguments = arguments($tokens, $i);
    my @texts = map { substr $source, $_->{at}, $_->{length} }
      map { bug('', $source, $tokens, @$_, '') } @arguments;
    my $callee = callee($tokens, $i);
    for my $k (1 .. $#arguments)
    {
        my ($left, $right) = @texts[$k - 1, $k];
        next if $left =~ $ZERO && $right =~ $ZERO;
        next if $callee =~ $MAKES_DATA && "$left $right" =~ /\bseed\b/ 
          || "$left, $right" =~ $ADDENDS && $callee =~ $ADDS;
        # Strings and closures stay where they are, and so does what would not compile.
        next if "$left$right" =~ /["{;\n]/ || $left eq $right || sort_of($left) ne sort_of($right);
        $add->('arguments', $arguments[$k - 1][0], $arguments[$k][1], "$right, $left");
    }
    my $which = $SIZE{$name->{text}} // return;
    my $size = $arguments[$which] // return;
    $add->('size', @$size, sub { "($_[0]) / 2" });
    $add->('size', @$size, sub { "($_[0]) - 1" }) if $name->{text} !~ /alloc/i;
}

# The source with a bug in it.
sub planted
{
    my ($source, $bug) = @_;
    substr($source, $bug->{at}, $bug->{length}) = $bug->{new};
    return $source;
}

# The change as whole lines: {line}, the number of the first one, {old} and {new}, each ending with
# a newline.
sub change
{
    my ($source, $bug) = @_;
    my $start = rindex($source, "\n", $bug->{at} - 1) + 1;
    my $end = index($source, "\n", $bug->{at} + $bug->{length}) + 1;
    my $old = substr $source, $start, $end - $start;
    my $new = substr $old, 0;
    substr($new, $bug->{at} - $start, $bug->{length}) = $bug->{new};
    return {line => 1 + (substr($source, 0, $start) =~ tr/\n//), old => $old, new => $new};
}

1;
