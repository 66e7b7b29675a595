# The suite for a class room, built for the CPU, on Debian 12: each student gets the same machine. It
# has what `make`, `make test` and `make figures` need, and clangd for an editor. It has no CUDA
# toolkit and no Thrust, so make leaves out the four programs of chapter 15 that use Thrust.
#
#   docker build -t cuda-programs .
#   docker run -it --rm cuda-programs                       a shell in the suite; then ./bin/add1
#   docker run -it --rm -e LANG=zh_CN.UTF-8 cuda-programs   --help and make tour speak Chinese
#
# --rm forgets what a student has changed: without it, `docker start -ai` with the container's name
# goes on. `docker save cuda-programs | gzip >cuda-programs-image.tar.gz` writes the image into a file
# for a room without network, where `docker load` reads it.
FROM debian:12
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        ca-certificates clangd g++ git gnuplot-nox less make nano perl \
    && rm -rf /var/lib/apt/lists/*
RUN useradd --create-home --shell /bin/bash student \
    && install -d -o student -g student /home/student/cuda-programs
USER student
WORKDIR /home/student/cuda-programs
ENV LANG=C.UTF-8
COPY --chown=student:student . .
RUN make && ./bin/add1
CMD ["bash"]
