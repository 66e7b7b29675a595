# The value of From: in Chinese, for the tables of the Chinese pages and for make list: "Listings 3.2 and
# 3.3, section 3.2" is "程序清单 3.2、3.3，3.2 节". What is not known here stays as it is.
package Sources;
use strict;
use warnings;
use utf8;
use Exporter 'import';

our @EXPORT_OK = qw(from_in_chinese);

my %KIND = (listing => '程序清单 ', table => '表 ', fig => '图 ', example => '例 ');
# What S1 to S4 call a thing, and remarks.
my @PHRASES = (
    ['and beyond the book, where that chapter is empty', '以及书外的内容（书中这一章是空的）'],
    [',? and beyond the book', '，以及书外的内容'],
    ['\(beyond the book\)', '（书外的内容）'],
    ['beyond the book', '书外的内容'],
    [', where the book is empty', '（书中是空的）'],
    [', which is empty in the book', '（书中是空的）'],
    [', which the book only announces', '（书中只提到它）'],
    [', which repeats? (?:it|them)', '（内容相同）'],
    ['\(its Poisson matrix\)', '（其中的泊松矩阵）'],
    ['\(its 10 x 10 grid\)', '（其中的 10 x 10 网格）'],
    ['error handling', '错误处理'],
    ['device properties', '设备属性'],
    ['linear algebra functions', '线性代数函数'],
    ['BLAS levels', 'BLAS 的级别'],
    ['matrix addition', '矩阵加法'],
    ['grid-stride loop', '网格跨步循环'],
    ['implicit synchronization', '隐式同步'],
    ['explicit synchronization', '显式同步'],
    ['overlapping behaviour', '重叠执行'],
    ['callbacks', '回调函数'],
    ['graph algorithms', '图算法'],
    ['tiles and stencils', '分块与 stencil'],
    ['tiles', '分块'],
    ['sparse matrices', '稀疏矩阵'],
    ['SoA, AoS and other structures', '数组结构体、结构体数组等'],
    ['transpose$', '矩阵转置'],
    ['memory (?=\()', '内存 '],
    ['asynchronous execution', '异步并行执行'],
    ['host and device', '主机和设备间并行执行'],
    ['kernels and transfers', '核函数与数据传输重叠'],
    ['concurrent kernels', '多个核函数同时执行'],
    ['concurrent transfers', '并行数据传输'],
    ['creating streams', '流的创建与销毁'],
    ['default stream', '默认流'],
    ['irregular data structures', '不规则数据结构'],
    ['reduction$', '归约'],
    ['results$', '结果'],
    ['AoS and SoA', 'SoA、AoS'],
    ['blocks and threads', '网格、块、线程'],
    ['performance analysis', '性能分析'],
    ['shared memory', '共享内存'],
    ['hierarchy', '层级结构'],
    ['memory space', '内存空间'],
    ['resources and capabilities', '查询资源和能力'],
    ['latency tolerance', '延迟忍耐'],
    ['streams', '流']);

# "3.2, 3.2.1 and 3.2.5 to 3.2.7" is "3.2、3.2.1、3.2.5 至 3.2.7".
sub numbers
{
    my ($list) = @_;
    return $list =~ s/ to / 至 /gr =~ s/,? and |, /、/gr;
}

sub from_in_chinese
{
    my ($from) = @_;
    utf8::decode($from);
    my $number = qr/\d+(?:\.\d+)*/;
    my $list = qr/$number(?:(?:, and | and |, | to )$number)*/;
    my $file = qr/[\w-]+\.\w+/;
    my @parts = split /; /, $from;
    for (@parts)
    {
        # A place or a remark that has been said in Chinese is set aside, so that nothing in it is taken
        # for a separator.
        my @said;
        my $aside = sub { push @said, $_[0]; return "\x{1}" . $#said . "\x{2}" };
        s/\bfile ($file) of chapter (\d+)/$aside->("文件 $1（第 $2 章）")/ge;
        s/\bfiles? ($file(?:(?:, | and )$file)*)/$aside->('文件 ' . numbers($1))/ge;
        s/\b(Listing|Table|Example)s? ($list)/$aside->($KIND{lc $1} . numbers($2))/ge;
        s/\bFigs?\. ($list)/$aside->($KIND{fig} . numbers($1))/ge;
        s/\bsections? ($list)/$aside->(numbers($1) . ' 节')/gie;
        s/\bchapters? ($list)/$aside->('第 ' . numbers($1) . ' 章')/gie;
        s/^(S[1-4] )($list)/$1 . $aside->(numbers($2))/e;
        s/^(S[1-4]), /$1 /;
        for my $phrase (@PHRASES)
        {
            s/$phrase->[0]/$aside->($phrase->[1])/ge;
        }
        s/ and its / 及其中的/g;
        s/,? and | and S[1-4] /、/g;
        s/, /，/g;
        1 while s/ *\x{1}(\d+)\x{2}/my $text = $said[$1]; ($text =~ m{^[，（]} ? '' : $& =~ m{^ } ? ' ' : '') . $text/e;
        s/(?<=[，、；]) +//g;
    }
    my $text = join '；', @parts;
    utf8::encode($text);
    return $text;
}

1;
