#!/bin/sh
# tour.sh BACKEND BIN, for `make tour`: ten commands for a newcomer. Each is shown and run, and then
# comes what to see in its output; in Chinese where LANG says so. On a terminal it waits before each.
backend=$1 bin=$2

case ${LC_ALL:-${LC_MESSAGES:-${LANG:-}}} in
zh*) chinese=1 ;;
*) chinese= ;;
esac

say() { printf '%s\n' "$([ "$chinese" ] && printf '%s' "$2" || printf '%s' "$1")"; }

# On a terminal: Enter goes on, q ends the tour.
wait_for_reader()
{
    [ -t 0 ] && [ -t 1 ] || return 0
    printf '\n%s ' "$(say '[Enter: go on, q: stop]' '[回车：继续，q：结束]')"
    read -r answer || exit 0
    [ "$answer" != q ] || exit 0
}

number=0
# stop WANTED COMMAND ENGLISH CHINESE: a stop of the tour. WANTED is the status of the command.
stop()
{
    wait_for_reader
    number=$((number + 1))
    printf '\n%d/10  $ ./bin/%s\n\n' "$number" "$2"
    # shellcheck disable=SC2086 # the command's words
    "$bin"/$2
    status=$?
    if [ "$status" -ne "$1" ]
    then
        say "$2 ended with status $status, not $1: please report it" "$2 的退出状态是 $status，而不是 $1：请告诉我们" >&2
        exit 1
    fi
    printf '\n'
    say "$3" "$4"
}

say 'Ten commands, about fifteen minutes if you read along. Each program is one file, and includes
headers of the folder common/. Open the program beside its output.' \
    '十条命令；如果边运行边读，大约需要十五分钟。每个程序是一个文件，
要用到 common/ 文件夹中的头文件。请打开程序，对照着输出阅读。'
if [ "$backend" = cpu ]
then
    say 'They run on the CPU here: the results are real, the times are not those of a GPU.' \
        '这里的程序在 CPU 上运行：结果是真实的，时间则与 GPU 无关。'
fi

stop 0 hello4 \
    'Eight threads run one kernel, and each prints its own block and thread number. ch02_threads/hello4.cu: <<<2, 4>>> asks for
two blocks of four threads. On a GPU block 1 may come before block 0: nothing says which block runs first.' \
    '八个线程执行同一个核函数，各自打印自己的线程块号与线程号。见 ch02_threads/hello4.cu：<<<2, 4>>> 要求两个线程块，
每块四个线程。在 GPU 上，线程块 1 可能先于线程块 0 打印：谁先执行是不确定的。'
stop 0 add1 \
    'A whole CUDA program: allocate on the device, copy there, launch, copy back, free. "PASS: 1 check" means that the host has
computed all sums again, and that they are the same. Every program here checks itself so.' \
    '一个完整的 CUDA 程序：分配设备内存，复制过去，调用核函数，复制回来，释放。"PASS: 1 check" 表示主机把所有的和重新算了
一遍，结果相同。这里的每个程序都这样检查自己。'
stop 3 check2kernel \
    'A launch that cannot be: 1280 threads in a block, and 1024 can be. A launch returns nothing, so the program asks
cudaGetLastError, which names the error. Without that question nobody would have known.' \
    '一次不可能的调用：线程块有 1280 个线程，而上限是 1024。核函数的调用没有返回值，所以程序用 cudaGetLastError 询问，
由它说出错误。不问，就没有人知道。'
stop 0 add2gpu \
    'Versions of one sum, one row each, from the plain loop on. GB/s is what the row moves in a second, % how much of the
ceiling that is: a copy of as many bytes. An addition waits for memory, so on a GPU its best row stands near 100 %.' \
    '同一个加法的几种写法，每行一种。GB/s 是每秒读写的数据量，% 是它达到上限的百分之几；上限是同样大小的数据复制。
加法等待的是内存，所以在 GPU 上最好的一行接近 100 %。'
stop 0 coalescing \
    'Who reads what decides. The 32 threads of a warp read neighbours in "sequential": 4 sectors of 32 bytes. In "strided" each
reads from a sector of its own: 32 sectors for the same numbers, and on a GPU many times the time.' \
    '谁读什么，决定快慢。在 "sequential" 中，一个线程束的 32 个线程读相邻的数：4 个 32 字节的扇区。在 "strided" 中，每个线程
读自己的一个扇区：同样多的数要 32 个扇区，在 GPU 上时间也长许多倍。这就是合并访问。'
stop 0 transpose \
    'A matrix is turned over, through shared memory from the row "shared" on, so that both its reads and its writes are
coalesced. "padded" is one column wider, against bank conflicts. The last row is the library, cuBLAS.' \
    '矩阵转置。从 "shared" 一行起使用共享内存，使读和写都是合并的。"padded" 多一列，用来避免 bank 冲突。最后一行是
cuBLAS 库的函数。'
stop 0 reduce \
    'One sum, from a loop on the host to the fastest that we know, each row a change of the row before. The column "x before"
is the time of the row before over that of this row. From "vector" on the sum stays on the device. The rows above also copy it
to the host, so the column means little at "vector". On a GPU the last rows are as fast as reading alone.' \
    '同一个求和，从主机上的循环到我们所知最快的写法，每一行在前一行的基础上改一处。"x before" 一列是前一行的时间
除以本行的时间。从 "vector" 起，和留在设备上；它上面的各行还要把和复制到主机，所以 "vector" 这一行的这个比值意义不大。
在 GPU 上，最后几行与只读一遍数据一样快。这就是归约。'
stop 0 kernel-transfer \
    'Copies and kernels in several streams. The pictures under the tables show when each piece was copied in, computed and
copied out. On a GPU the lines overlap. The CPU backend does one thing after the other, and the picture shows that, too.' \
    '多个流中的数据复制与核函数。表下面的图画出每一段何时复制到设备、何时计算、何时复制回来。在 GPU 上它们重叠；
CPU 后端一件一件地做，图中也看得出来。'
stop 0 neighbor2gpu \
    'Which atoms are neighbours? "atomic" and "no-atomic" compare all pairs; "cells" sorts the atoms into cells and looks into 9
of them only. No tuning of the first two comes near that: a better algorithm is worth more than better code.' \
    '哪些原子互为邻居？"atomic" 和 "no-atomic" 比较所有原子对；"cells" 先把原子分到元胞里，只看 9 个元胞。前两种写法怎么优化
也赶不上它：好的算法胜过好的代码。'
stop 0 'ljmd 5 200' \
    '500 atoms of argon, 200 steps of molecular dynamics, all on the device. The total energy must stay: its drift is the last
column. What speed comes to is in the last lines. ./bin/ljmd-fast does the same as fast as a GPU allows.' \
    '500 个氩原子的分子动力学模拟，共 200 步，全部在设备上计算。总能量应当守恒：最后一列是它的漂移。速度在最后几行。
./bin/ljmd-fast 做同样的事，并且做到 GPU 所允许的最快。'
wait_for_reader
printf '\n'
say 'Where to go on: README.md has the map, each chapter a README with questions. Change a kernel, make, run it again:
it will tell you whether it is still right.' \
    '接下来：README.zh-CN.md 是全书的地图，每章有自己的 README 和问题。改动一个核函数，make，再运行：
程序会告诉您结果是否仍然正确。'
