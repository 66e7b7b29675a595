# What make says, in Chinese: the Makefile includes this file where LANG or its like says zh. Beside each
# use of such a variable the Makefile has the English.

zh.clean_alone = make clean 要单独运行，然后再 make $(BUILDING)
zh.require_gpu = REQUIRE_GPU=1，但这里没有 GPU：见 make doctor
zh.as_asked = 因为你这样指定
zh.because_require_gpu = 因为有 REQUIRE_GPU
zh.because_plant = 因为错误在那里植入
zh.because_no_nvcc = 因为没有 nvcc
zh.because_no_gpu = 因为有 nvcc，但没有 GPU
zh.because_both = 因为有 nvcc，也有 GPU
zh.backend = BACKEND 须为 cuda 或 cpu，不能是 $(BACKEND)
zh.needs_nvcc = BACKEND=cuda 需要 PATH 中有 nvcc，或指定 NVCC=/path/to/nvcc：见 make doctor
zh.no_use_for_gpu = BACKEND=cpu 时不能用 REQUIRE_GPU=1
zh.checker = CHECKER=1 只用于 CPU 后端：BACKEND=cpu
zh.needs_perl = make 需要 perl：sudo apt-get install perl
zh.prepare_fails = ./suite prepare 失败，原因见上
zh.unknown = 没有程序、章或目标 $(UNKNOWN)：见 make list 和 make help
zh.only_unknown = ONLY=$(NOT_THERE)：没有这样的程序或章；见 make list
zh.get_thrust = CUDA 工具箱中有它（由 CUDA_HOME 指出），Debian 的 libthrust-dev 中也有
zh.no_thrust_for = $(filter $(LEFT_OUT),$(GOALS))：这里没有 Thrust；$(get_thrust)
zh.left_out = 这里没有 Thrust，所以 make 不编译 $(LEFT_OUT)；$(get_thrust)
zh.compiler = 编译器的名称只能有字母、数字和 _ . + -，不能是 $(COMPILER)
zh.built = $(if $(word 2,$^),$(PLACE) 中的 $(words $^) 个程序,$(PLACE)$(notdir $^))：为 \
    $(patsubst cpu,CPU,$(BACKEND:cuda=CUDA)) 编译，$(WHY)；要用另一种，加上 BACKEND=$(OTHER)
zh.no_gnuplot = 没有 gnuplot，图由它来画：sudo apt-get install gnuplot-nox
