// Accesses to volatile memory, which may be shared memory: there the lanes of a warp keep in step,
// as on GPUs before Volta. The rewriter puts these wrappers around them (rewriter/volatiles.c).
// POSITION grows through the source. ANY: in whatever memory, else in shared memory only.
#ifndef CUDACPU_IN_STEP_H
#define CUDACPU_IN_STEP_H
#define CUDACPU_KEEP inline __attribute__((always_inline))
#define CUDACPU_SITE const char *file = __builtin_FILE(), int line = __builtin_LINE()

extern "C"
{
    extern __thread unsigned long cudacpu_shared_start, cudacpu_shared_bytes;
    void cudacpu_in_step(const volatile void *address, int position, bool stores, const char *file,
                         int line);
}

namespace cudacpu
{
struct Site
{
    const char *file;
    int line;
};

// Waits until the other lanes of the warp have come as far, if the address is in such memory.
template <int POSITION, bool ANY>
CUDACPU_KEEP void keep_in_step(const volatile void *address, bool stores, Site site)
{
    if (ANY || (unsigned long)address - cudacpu_shared_start < cudacpu_shared_bytes)
    {
        cudacpu_in_step(address, POSITION, stores, site.file, site.line);
    }
}

// What is assigned to. The value has been computed, with all reads that it takes, when a function
// of it is called: the lanes meet again before any of them writes.
template <class T, int POSITION, bool ANY>
struct InStepPlace
{
    volatile T *address;
    Site site;

    CUDACPU_KEEP T write(T value) const
    {
        keep_in_step<POSITION, ANY>(address, true, site);
        *address = value;
        return value;
    }
    CUDACPU_KEEP T read() const
    {
        keep_in_step<POSITION, ANY>(address, false, site);
        return *address;
    }
    template <class U>
    CUDACPU_KEEP T operator=(U value) const
    {
        return write((T)value);
    }
#define CUDACPU_ASSIGN(op)                       \
    template <class U>                           \
    CUDACPU_KEEP T operator op##=(U value) const \
    {                                            \
        return write((T)(read() op value));      \
    }
    CUDACPU_ASSIGN(+)
    CUDACPU_ASSIGN(-)
    CUDACPU_ASSIGN(*)
    CUDACPU_ASSIGN(/)
    CUDACPU_ASSIGN(%)
    CUDACPU_ASSIGN(&)
    CUDACPU_ASSIGN(|)
    CUDACPU_ASSIGN(^)
    CUDACPU_ASSIGN(<<)
    CUDACPU_ASSIGN(>>)
#undef CUDACPU_ASSIGN
    CUDACPU_KEEP T operator++() const
    {
        return *this += 1;
    }
    CUDACPU_KEEP T operator--() const
    {
        return *this -= 1;
    }
    CUDACPU_KEEP T operator++(int) const
    {
        const T old = read();
        write((T)(old + 1));
        return old;
    }
    CUDACPU_KEEP T operator--(int) const
    {
        const T old = read();
        write((T)(old - 1));
        return old;
    }
};

template <class T, int POSITION, bool ANY, bool IS_SCALAR>
struct InStepWritten
{
    typedef InStepPlace<T, POSITION, ANY> type;
    static CUDACPU_KEEP type of(volatile T *address, Site site)
    {
        return {address, site};
    }
};

// A class: its own assignment writes.
template <class T, int POSITION, bool ANY>
struct InStepWritten<T, POSITION, ANY, false>
{
    typedef volatile T &type;
    static CUDACPU_KEEP type of(volatile T *address, Site site)
    {
        keep_in_step<POSITION, ANY>(address, true, site);
        return *address;
    }
};

template <class T, int POSITION, bool ANY, bool WRITES>
struct InStepPointer
{
    volatile T *address;
    Site site;
    typedef InStepWritten<T, POSITION, ANY, std::is_scalar<T>::value> Written;
    typedef typename std::conditional<WRITES, typename Written::type, volatile T &>::type Element;

    CUDACPU_KEEP volatile T &access(volatile T *element, std::false_type) const
    {
        keep_in_step<POSITION, ANY>(element, false, site);
        return *element;
    }
    CUDACPU_KEEP typename Written::type access(volatile T *element, std::true_type) const
    {
        return Written::of(element, site);
    }
    template <class Index>
    CUDACPU_KEEP Element operator[](Index index) const
    {
        return access(address + index, std::integral_constant<bool, WRITES>());
    }
    CUDACPU_KEEP Element operator*() const
    {
        return access(address, std::integral_constant<bool, WRITES>());
    }
};

// A row of an array.
template <class T, size_t N, int POSITION, bool ANY, bool WRITES>
struct InStepPointer<T[N], POSITION, ANY, WRITES>
{
    volatile T (*address)[N];
    Site site;

    template <class Index>
    CUDACPU_KEEP InStepPointer<T, POSITION, ANY, WRITES> operator[](Index index) const
    {
        return {address[index], site};
    }
};

// The wrappers of pointers and arrays. What is not volatile stays what it is.
#define CUDACPU_IN_STEP(name, ANY, WRITES)                                                 \
    template <int POSITION, class T>                                                       \
    CUDACPU_KEEP InStepPointer<T, POSITION, ANY, WRITES> name(volatile T *p, CUDACPU_SITE) \
    {                                                                                      \
        return {p, {file, line}};                                                          \
    }                                                                                      \
    template <int POSITION, class T>                                                       \
    CUDACPU_KEEP T *name(T *p)                                                             \
    {                                                                                      \
        return p;                                                                          \
    }                                                                                      \
    template <int POSITION, class T>                                                       \
    CUDACPU_KEEP T &name(T &x)                                                             \
    {                                                                                      \
        return x;                                                                          \
    }
CUDACPU_IN_STEP(in_step_read, false, false)
CUDACPU_IN_STEP(in_step_write, false, true)
CUDACPU_IN_STEP(in_step_read_any, true, false)
CUDACPU_IN_STEP(in_step_write_any, true, true)
#undef CUDACPU_IN_STEP

// The same for one variable.
template <int POSITION, class T>
CUDACPU_KEEP volatile T &in_step_read_value(volatile T &x, CUDACPU_SITE)
{
    keep_in_step<POSITION, false>(&x, false, {file, line});
    return x;
}

template <int POSITION, class T>
CUDACPU_KEEP typename InStepWritten<T, POSITION, false, std::is_scalar<T>::value>::type
in_step_write_value(volatile T &x, CUDACPU_SITE)
{
    return InStepWritten<T, POSITION, false, std::is_scalar<T>::value>::of(&x, {file, line});
}
} // namespace cudacpu

#undef CUDACPU_KEEP
#undef CUDACPU_SITE
#endif
