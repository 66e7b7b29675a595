# The CUDA programs as make/toolkits.sh goes through them: a line for each file, with the file, the
# program's name, or - for a file that is part of another program, and the libraries it is linked to.
END {
    for (i = 1; i < ARGC; i++) {
        file = ARGV[i]
        if (file ~ /\.cu$/)
            print file, (file in extra ? "-" : name[file]), header[file, "Libs"]
    }
}
