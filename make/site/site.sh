#!/bin/sh
# site.sh, for `make site`: the documents and sources as a static site in build/site. It is whole or
# as it was before.
install='python3 -m venv build/mkdocs && build/mkdocs/bin/pip install -q -r make/site/requirements.txt'
PATH=$PWD/build/mkdocs/bin:$PATH
if ! command -v mkdocs >/dev/null
then
    echo "make site: there is no MkDocs: $install" >&2
    exit 1
fi

trap 'rm -rf build/site-src build/site.part build/mkdocs.yml' EXIT
trap 'exit 130' HUP INT TERM
rm -rf build/site-src build/site.part
mkdir -p build && perl make/site/layout.pl build || exit 1
if ! NO_MKDOCS_2_WARNING=1 mkdocs build -q --strict -f build/mkdocs.yml -d site.part >build/site.log 2>&1
then
    cat build/site.log >&2
    echo "make site: MkDocs fails; if a module is missing: $install" >&2
    exit 1
fi
rm -rf build/site && mv build/site.part build/site || exit 1
echo "$(find build/site -name '*.html' | wc -l) pages in build/site; to read and search them:"
echo '    python3 -m http.server -d build/site'
