// Writing a drawing as SVG: rectangles, lines, circles and words on a white background, which is
// legible on a dark page as well. Lengths are in pixels.
#pragma once
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Colours that people with any colour vision tell apart (Okabe and Ito).
#define BLUE "#0072b2"
#define SKY "#56b4e9"
#define ORANGE "#e69f00"
#define GREEN "#009e73"
#define RED "#d55e00"
#define YELLOW "#f0e442"
#define BLACK "#000000"
#define WHITE "#ffffff"
#define GREY "#707070"
#define PALE "#e6e6e6"

enum Anchor
{
    LEFT,
    MIDDLE,
    RIGHT
};

struct Drawing
{
    FILE *file;
    char path[4096];
    bool is_chinese;
};

// One line says why the program ends.
static inline void give_up(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    fputs("draw: ", stderr);
    vfprintf(stderr, format, values);
    fputs("\n", stderr);
    va_end(values);
    exit(1);
}

static inline Drawing begin_drawing(const char *directory, const char *name, bool is_chinese,
                                    int width, int height)
{
    Drawing d = {NULL, "", is_chinese};
    snprintf(d.path, sizeof(d.path), "%s/%s%s.svg", directory, name, is_chinese ? ".zh-CN" : "");
    d.file = fopen(d.path, "w");
    if (d.file == NULL)
    {
        give_up("cannot write %s: %s", d.path, strerror(errno));
    }
    fprintf(d.file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\"%s viewBox=\"0 0 %d %d\" width=\"%d\" "
            "height=\"%d\" font-family=\"sans-serif\" font-size=\"15\">\n"
            "<rect width=\"%d\" height=\"%d\" rx=\"6\" fill=\"" WHITE "\"/>\n",
            is_chinese ? " xml:lang=\"zh-CN\"" : "", // else the letters may be Japanese ones
            width, height, width, height, width, height);
    return d;
}

static inline void end_drawing(Drawing *d)
{
    fputs("</svg>\n", d->file);
    const bool failed = ferror(d->file);
    if (fclose(d->file) != 0 || failed)
    {
        give_up("cannot write %s: %s", d->path, strerror(errno));
    }
}

static inline void rectangle(Drawing *d, double x, double y, double width, double height,
                             const char *fill, const char *stroke)
{
    fprintf(d->file,
            "<rect x=\"%.4g\" y=\"%.4g\" width=\"%.4g\" height=\"%.4g\" fill=\"%s\" "
            "stroke=\"%s\"/>\n",
            x, y, width, height, fill, stroke);
}

// An outline, which may be dashed.
static inline void outline(Drawing *d, double x, double y, double width, double height,
                           const char *stroke, double thickness, bool is_dashed)
{
    fprintf(d->file,
            "<rect x=\"%.4g\" y=\"%.4g\" width=\"%.4g\" height=\"%.4g\" fill=\"none\" "
            "stroke=\"%s\" stroke-width=\"%.4g\"%s/>\n",
            x, y, width, height, stroke, thickness, is_dashed ? " stroke-dasharray=\"3 3\"" : "");
}

static inline void line(Drawing *d, double x1, double y1, double x2, double y2, const char *stroke,
                        double thickness)
{
    fprintf(d->file,
            "<line x1=\"%.4g\" y1=\"%.4g\" x2=\"%.4g\" y2=\"%.4g\" stroke=\"%s\" "
            "stroke-width=\"%.4g\"/>\n",
            x1, y1, x2, y2, stroke, thickness);
}

static inline void circle(Drawing *d, double x, double y, double radius, const char *fill,
                          const char *stroke)
{
    fprintf(d->file,
            "<circle cx=\"%.4g\" cy=\"%.4g\" r=\"%.4g\" fill=\"%s\" stroke=\"%s\" "
            "stroke-width=\"1.5\"/>\n",
            x, y, radius, fill, stroke);
}

// A line with a head at its second end.
static inline void arrow(Drawing *d, double x1, double y1, double x2, double y2, const char *stroke,
                         double thickness)
{
    const double length = hypot(x2 - x1, y2 - y1), head = 5.0 + 2.0 * thickness;
    const double ux = (x2 - x1) / length, uy = (y2 - y1) / length; // along the line
    const double x = x2 - head * ux, y = y2 - head * uy, half = 0.45 * head;
    line(d, x1, y1, x, y, stroke, thickness);
    fprintf(d->file, "<polygon points=\"%.4g,%.4g %.4g,%.4g %.4g,%.4g\" fill=\"%s\"/>\n", x2, y2,
            x - half * uy, y + half * ux, x + half * uy, y - half * ux, stroke);
}

// A bow between two points of the same height, which rises by about `rise`, and ends in a head.
static inline void bow(Drawing *d, double x1, double x2, double y, double rise, const char *stroke,
                       double thickness)
{
    const double head = 5.0 + 2.0 * thickness, half = 0.45 * head;
    fprintf(d->file,
            "<path d=\"M%.4g %.4g C%.4g %.4g %.4g %.4g %.4g %.4g\" fill=\"none\" stroke=\"%s\" "
            "stroke-width=\"%.4g\"/>\n",
            x1, y, x1, y - 1.3 * rise, x2, y - 1.3 * rise, x2, y - head, stroke, thickness);
    fprintf(d->file, "<polygon points=\"%.4g,%.4g %.4g,%.4g %.4g,%.4g\" fill=\"%s\"/>\n", x2, y,
            x2 - half, y - head, x2 + half, y - head, stroke);
}

static inline void words(Drawing *d, double x, double y, Anchor anchor, const char *colour,
                         const char *format, ...)
{
    const char *const anchors[] = {"start", "middle", "end"};
    char text[256];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof(text), format, values);
    va_end(values);
    fprintf(d->file, "<text x=\"%.4g\" y=\"%.4g\" text-anchor=\"%s\" fill=\"%s\">", x, y,
            anchors[anchor], colour);
    for (const char *c = text; *c != '\0'; ++c) // three characters mean something to XML
    {
        *c == '<'   ? fputs("&lt;", d->file)
        : *c == '>' ? fputs("&gt;", d->file)
        : *c == '&' ? fputs("&amp;", d->file)
                    : fputc(*c, d->file);
    }
    fputs("</text>\n", d->file);
}

static inline const char *say(const Drawing *d, const char *english, const char *chinese)
{
    return d->is_chinese ? chinese : english;
}

// What is drawn in between has words of this size.
static inline void begin_size(Drawing *d, int size)
{
    fprintf(d->file, "<g font-size=\"%d\">\n", size);
}

static inline void end_size(Drawing *d) { fputs("</g>\n", d->file); }
