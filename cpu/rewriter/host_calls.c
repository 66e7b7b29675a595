// Calls of host functions in device code that are more than a plain name: templates, members of classes and
// of namespaces, constructors, and what holds memory of the C++ library. nvcc refuses each of them.
//
// Certain means: a class or function of the user's own file that is declared in one way only, no constexpr,
// and an object whose type stands before its name.
#include "rewriter.h"

static const char *const NOT_OF_HOST[] = {"__device__", "__global__", "constexpr", "consteval",
                                          "template",   "friend",     "using",     "typedef",
                                          "default",    "delete",     NULL};

// ---- Classes ----

static int find_class_body(const char *name, int first, int end)
{
    (void)first, (void)end;
    static const char *const uncertain[] = {"using", "typedef", "template", NULL};
    enum
    {
        MOST = 64
    };
    int places[MOST], found = -1;
    const int count = mentions_outside(name, places, MOST);
    for (int n = 0; n < count && n < MOST; ++n)
    {
        const int i = places[n];
        if (is_any(declaration_start(i), uncertain) || is(i - 1, "enum"))
        {
            return -1;
        }
        if (is(i - 1, "struct") || is(i - 1, "class"))
        {
            int k = i + 1;
            while (k < num_tokens && !is(k, "{") && !is(k, ";") && !is(k, "(") && !is(k, "="))
            {
                ++k;
            }
            if (is(k, "{") && (found >= 0 || !is_of_file(k)))
            {
                return -1;
            }
            found = is(k, "{") ? k : found;
        }
    }
    return found < 0 || count > MOST || is_outer_name_of_system(name) ? -1 : found;
}

// The brace that opens the only class of this name in the file, which is no template; or -1.
static int class_body(const char *name)
{
    return known_answer(CLASS_BODY, name, 0, 0, find_class_body);
}

// Whether one of these words stands in the declaration of the member at i.
static bool has_word(int i, int end, const char *const *words)
{
    for (int k = declaration_start(i); k < end; ++k)
    {
        if (is_any(k, words))
        {
            return true;
        }
        k = is(k, "{") ? closing(k) : k;
    }
    return false;
}

// Where the declaration of a function whose ( is at i ends: its ; or its {.
static int head_end(int i)
{
    for (i = closing(i) + 1; i < num_tokens && !is(i, ";") && !is(i, "{"); ++i)
    {
        i = is(i, "(") ? closing(i) : i;
    }
    return i;
}

static bool is_device_outside(const char *class_name, const char *name)
{
    enum
    {
        MOST = 64
    };
    int places[MOST];
    const int count = mentions_outside(name, places, MOST);
    for (int n = 0; n < count && n < MOST; ++n)
    {
        if (is(places[n] - 1, "::") && is(places[n] - 2, class_name) &&
            has_word(places[n], places[n], NOT_OF_HOST))
        {
            return true;
        }
    }
    return count > MOST;
}

// Whether the class with this body has functions of the name, and all of them are the host's. Those with the
// name of the class are its constructors.
static bool has_host_function(int body, const char *class_name, const char *name)
{
    const bool constructs = is(body, "{") && class_name == name;
    bool found = false;
    for (int k = body + 1; k < closing(body); ++k)
    {
        if (is(k, name) && !(constructs && is(k - 1, "~")))
        {
            const bool typed = is_name(k - 1) || is(k - 1, "*") || is(k - 1, "&") || is(k - 1, ">");
            if (!is(k + 1, "("))
            {
                if (constructs) // a type
                {
                    continue;
                }
                return false;
            }
            if ((!constructs && !typed) || is(k - 1, "return") || is(k - 1, "new") ||
                is(k - 1, "=") || has_word(k, head_end(k + 1), NOT_OF_HOST))
            {
                return false;
            }
            found = true;
        }
        else if (is(k, "using"))
        {
            return false;
        }
        k = is(k, "(") || is(k, "[") || is(k, "{") ? closing(k) : k;
    }
    return found && !is_device_outside(class_name, name);
}

_Noreturn static void refuse_function(int i, const char *class_name, const char *name)
{
    refuse_at(i, join(join(join(class_name, "::"), name),
                      " is a function of the host: device code can call it with __device__ before "
                      "its declaration"));
}

// ---- Objects ----

static int find_declaration(const char *name, int first, int end)
{
    int declared = -1;
    for (int k = first; k < end; ++k)
    {
        if (is(k, name) && may_be_declared(k))
        {
            if (declared >= 0)
            {
                return -1;
            }
            declared = k;
        }
    }
    return declared;
}

// Where these tokens declare the name; -1: nowhere, or more than once.
static int declared_at(const char *name, int first, int end)
{
    return known_answer(DECLARED_AT, name, first, end, find_declaration);
}

// The type of the object at i, if the tokens from `first` to `end` declare it once and as an object, a
// pointer or a reference of a class: its name.
static const char *class_of(int i, int first, int end)
{
    const int declared = declared_at(text_of(i), first, end);
    int type = declared - 1;
    while (is(type, "*") || is(type, "&") || is(type, "const") || is(type, "__restrict__"))
    {
        --type;
    }
    return declared < 0 || !is_name(type) || is(type - 1, "::") ? NULL : text_of(type);
}

// i is f in x.f(...), p->f(...), x[n].f(...).
static void refuse_member_of_object(int i, int first, int end)
{
    int object = i - 2;
    object = is(object, "]") ? opening(object) - 1 : object;
    if (!is_name(object) || is(object, "this") || is(object - 1, ".") || is(object - 1, "->") ||
        is(object - 1, "::"))
    {
        return;
    }
    const char *type = class_of(object, first, end);
    const int body = type == NULL ? -1 : class_body(type);
    if (body >= 0 && has_host_function(body, type, text_of(i)))
    {
        refuse_function(i, type, text_of(i));
    }
}

// i is f in A::f(...) or s::f(...).
static void refuse_qualified(int i)
{
    const int scope = i - 2;
    if (!is_name(scope) || is(scope - 1, "::") || is(scope - 1, ".") || is(scope - 1, "->"))
    {
        return;
    }
    const char *name = text_of(scope);
    const int body = class_body(name);
    if (body >= 0 && has_host_function(body, name, text_of(i)))
    {
        refuse_function(i, name, text_of(i));
    }
    enum
    {
        MOST = 16
    };
    int places[MOST];
    const int count = mentions_outside(text_of(i), places, MOST);
    bool inside = count > 0 && count <= MOST && kind_of(text_of(i)) == FUNCTION;
    for (int n = 0; inside && n < count; ++n)
    {
        const int brace = scope_of(places[n]);
        inside = brace > 0 && is(brace - 1, name) && is(brace - 2, "namespace");
    }
    if (inside)
    {
        refuse_function(i, name, text_of(i));
    }
}

// A a; A a(3); A a{3, 4}; with constructors that are all the host's. A copy is another matter.
static void refuse_construction(int i)
{
    static const char *const before[] = {";", "{", "}", "const", NULL};
    if (!is_any(i - 1, before) || !is_name(i + 1) || is(i + 1, "const"))
    {
        return;
    }
    const int open = i + 2;
    const bool has_list = is(open, "(") || is(open, "{");
    bool may_copy = has_list && closing(open) > open + 1;
    for (int k = open; may_copy && k < closing(open); ++k) // of one argument only, which is a name
    {
        may_copy =
            !is(k, ",") && !(k == open + 1 && tokens[k].text[0] >= '0' && tokens[k].text[0] <= '9');
    }
    const char *name = text_of(i);
    const int body =
        (has_list && !may_copy) || is(open, ";") || is(open, "[") ? class_body(name) : -1;
    if (body >= 0 && has_host_function(body, name, name))
    {
        refuse_function(i, name, name);
    }
}

// ---- Templates ----

// Whether all declarations of the name are templates of functions, and plain functions, of the host.
static bool is_host_template(const char *name)
{
    enum
    {
        MOST = 16
    };
    int places[MOST];
    const int count = mentions_outside(name, places, MOST);
    bool has_body = false, has_template = false;
    for (int n = 0; n < count && n < MOST; ++n)
    {
        const int i = places[n], start = declaration_start(i);
        static const char *const words[] = {"__device__", "__global__", "constexpr", "consteval",
                                            "friend",     "using",      "typedef",   "operator",
                                            "struct",     "class",      NULL};
        if (!is_of_file(i) || !is(i + 1, "(") || is(i - 1, "::") || !is_name(start) || start == i)
        {
            return false;
        }
        const int after =
            is(start, "template") && is(start + 1, "<") ? template_end(start + 1) : start;
        for (int k = after < 0 ? start : after; k < i; ++k)
        {
            if (is_any(k, words))
            {
                return false;
            }
        }
        has_template = has_template || is(start, "template");
        has_body = has_body || function_body(i + 1) >= 0;
    }
    return has_template && has_body && count <= MOST && !is_outer_name_of_system(name);
}

static void refuse_template(int i, int first, int end)
{
    const int after = is(i + 1, "<") ? template_end(i + 1) : i + 1;
    const char *name = text_of(i);
    if (after > 0 && is(after, "(") && is_the_outer_one(name, first, end, false) &&
        is_host_template(name))
    {
        refuse_at(i,
                  join(name, " is a function of the host: device code can call it with __device__ "
                             "before its definition"));
    }
}

// The name at i in a plain device function, which has its parameters at `first` and ends at `end`.
static void refuse_host_call(int i, int first, int end)
{
    if (is_unevaluated(i))
    {
        return;
    }
    const bool called = is(i + 1, "(");
    if (called && (is(i - 1, ".") || is(i - 1, "->")))
    {
        refuse_member_of_object(i, first, end);
    }
    else if (called && is(i - 1, "::"))
    {
        refuse_qualified(i);
    }
    else if (!is(i - 1, ".") && !is(i - 1, "->") && !is(i - 1, "::"))
    {
        refuse_construction(i);
        refuse_template(i, first, end);
    }
}

// ---- The C++ library ----

static bool is_container(int i)
{
    static const char *const names[] = {
        "vector",        "string",       "map",        "set",           "list",
        "deque",         "queue",        "stack",      "unordered_map", "unordered_set",
        "ostringstream", "stringstream", "shared_ptr", "unique_ptr",    "function",
        "thread",        "mutex",        NULL};
    return is_any(i, names) && is(i - 1, "::") && is(i - 2, "std") && kind_of("std") == UNDECLARED;
}

// std::vector<int> v(3) in a kernel, and the use of a parameter of such a type; std::sort(...).
static void refuse_host_container(int i, int first, int end)
{
    static const char *const functions[] = {"sort",        "stable_sort", "accumulate", "to_string",
                                            "make_unique", "make_shared", NULL};
    if (is_any(i, functions) && is(i - 1, "::") && is(i - 2, "std") && is(i + 1, "("))
    {
        refuse_at(
            i, join(join("device code cannot call std::", text_of(i)), ", a function of the host"));
    }
    if (is_container(i) && !is_unevaluated(i))
    {
        const int after = is(i + 1, "<") ? template_end(i + 1) : i + 1;
        static const char *const next[] = {";", "(", "{", "=", NULL};
        if (after > 0 && (is(after, "(") || (is_name(after) && is_any(after + 1, next))))
        {
            refuse_at(
                i, join(join("device code cannot use std::", text_of(i)), ", which is the host's"));
        }
    }
    if ((is(i + 1, ".") || is(i + 1, "[") || is(i + 1, "->")) && !is(i - 1, ".") &&
        !is(i - 1, "->") && !is(i - 1, "::") && !is_unevaluated(i))
    {
        const int declared = declared_at(text_of(i), first, end);
        int type = declared - 1;
        type = is(type, "&") ? type - 1 : type;
        if (declared < 0 || is(i + 1, "->") || declared > closing(first) || type < first)
        {
            return;
        }
        for (int k = first + 1; k < type; ++k)
        {
            if (is_container(k) && is(k + 1, "<") && template_end(k + 1) == type + 1)
            {
                refuse_at(i, join(join("device code cannot use std::", text_of(k)),
                                  ", which is the host's"));
            }
        }
    }
}

// ---- A member of the device that calls one of the host ----

static bool is_called_elsewhere(int name, int brace)
{
    for (int k = 0; k < num_tokens; ++k)
    {
        k = k == brace ? closing(k) : k;
        if (!tokens[k].system && is_same(k, name) && (is(k - 1, ".") || is(k - 1, "->")) &&
            is(k + 1, "("))
        {
            return true;
        }
    }
    return false;
}

// __device__ at i stands in a class.
void refuse_host_member_calls(int i)
{
    const int parameters = tokens[i].outermost ? -1 : parameter_list(i);
    const int body = parameters < 0 ? -1 : function_body(parameters), brace = scope_of(i);
    if (body < 0 || brace < 0 || scope_of(body) != brace || !is_of_file(body))
    {
        return;
    }
    int head = brace - 1;
    while (head > 0 && !is(head, "struct") && !is(head, "class") && !is(head, ";") &&
           !is(head, "}") && !is(head, ")"))
    {
        --head;
    }
    const char *name = is_name(head + 1) ? text_of(head + 1) : "";
    for (int k = declaration_start(i); k < parameters; ++k)
    {
        if (is(k, "__host__") || is(k, "template"))
        {
            return;
        }
    }
    if (!(is(head, "struct") || is(head, "class")) || class_body(name) != brace ||
        is_uncertain(parameters, closing(body)) || !is_called_elsewhere(parameters - 1, brace))
    {
        return;
    }
    for (int k = body + 1; k < closing(body); ++k)
    {
        const bool of_this = is(k - 1, "->") && is(k - 2, "this");
        const bool alone = !is(k - 1, ".") && !is(k - 1, "->") && !is(k - 1, "::");
        if (is_name(k) && is(k + 1, "(") && (of_this || alone) && !is_unevaluated(k) &&
            is_the_outer_one(text_of(k), parameters, closing(body), true) &&
            has_host_function(brace, name, text_of(k)) && !is(k, name))
        {
            refuse_function(k, name, text_of(k));
        }
    }
}

// The device code from `first`, where its declaration begins, to the brace `end`.
void refuse_host_calls(int first, int end)
{
    const int parameters = certain_parameters(first, end);
    for (int i = parameters < 0 ? end : function_body(parameters) + 1; i < end; ++i)
    {
        if (is_name(i) && is_of_file(i))
        {
            refuse_host_call(i, parameters, end);
            refuse_host_container(i, parameters, end);
        }
    }
}
