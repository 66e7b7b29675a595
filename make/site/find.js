// The search of the site answers as `make find` does. Where a question is a place of the book, as
// "Listing 9.2", 表9.1 or ch09, a file as reduce.cu, or a topic of make/topics.txt, the search is also
// asked for one word that stands for it: listing9.2, filereducecu, topic7. make/Site.pm has put such
// words into the index, as tags of the pages that answer, each with the page's rank: "listing9.2 r1".
// Those pages come first, and pages in the language of the reader before the others.
//
// The theme loads search/search_index.json with every page. make/Site.pm leaves no page in it: all
// are in search/pages.json, which is loaded when a reader first goes to the search.
//
// make/Site.pm puts this text into a function, with WORDS before it: the kinds of places and the
// topics, as make/Find.pm has them.

// As plain(), place(), key(), word_of_place() and word_of_file() of make/Find.pm.
const DIGITS = "零一二三四五六七八九";

function plain(text) {
  text = text.replace(/[０-９．（）：－]/g, c => String.fromCharCode(c.charCodeAt(0) - 0xfee0))
    .replace(/[–—]/g, "-").replace(/　/g, " ")
    .replace(/^[\s"'“”‘’《》]+|[\s"'“”‘’《》:,;.，。；、?？]+$/g, "");
  const digit = c => DIGITS.indexOf(c);
  text = text.replace(/第\s*(?=[一二三四五六七八九十]+\s*[章节])([一二三四五六七八九]?)(十?)([一二三四五六七八九]?)/,
    (all, tens, ten, ones) => "第" + (!ten ? digit(tens)
      : 10 * (tens ? digit(tens) : 1) + (ones ? digit(ones) : 0)));
  return text.replace(/\s+/g, " ");
}

function tidyNumber(number) {
  return number.split(/[.-]/).map(Number).join(".");
}

function wordOfPlace(source, kind, number) {
  if (source && kind === "section") kind = "";
  return (source + (kind === "" ? "n" : kind.replace(".", "")) + tidyNumber(number)).toLowerCase();
}

// The word for a place, and what of its name may stand in a page; or null.
function place(question) {
  let text = plain(question), source = "";
  text = text.replace(/^(s[1-4])(?: |(?=[^\d\w]))\s*/i, (all, name) => (source = name, ""));
  text = text.replace(/^\((\d+\.\d+)\)$/, "formula $1").replace(/ ?\((\d+\.\d+)\)$/, " $1");
  for (const [kind, words] of WORDS.kinds) {
    const found = text.match(new RegExp(`^(?:第 ?)?(?:${words})[ .:_-]*(\\d+(?:[.-]\\d+)*)$`, "i"))
      || text.match(new RegExp(`^(?:第 ?)?(\\d+(?:[.-]\\d+)*) ?(?:${words})$`, "i"));
    if (found) return wordOfPlace(source, kind, found[1]);
  }
  const number = text.match(/^(\d+(?:\.\d+)+)$/), chapter = text.match(/^第? ?(\d+)$/);
  return number ? wordOfPlace(source, "", number[1])
    : chapter ? wordOfPlace(source, "chapter", chapter[1]) : null;
}

function key(name) {
  return plain(name).toLowerCase().replace(/-/g, " ").replace(/的/g, "").trimStart()
    .replace(/(?<=\p{sc=Han}) (?=[\p{sc=Han}\w])|(?<=\w) (?=\p{sc=Han})/gu, "")
    .split(" ").map(word => /^[a-z]{3,}[^s]s$/.test(word) ? word.slice(0, -1) : word).join(" ");
}

function wordOfFile(question) {
  const name = plain(question).match(/^(?:file |文件 ?)?(?:[\w-]+\/)*([\w-]+\.(?:cu|cuh|cpp))$/i);
  return name ? "file" + name[1].toLowerCase().replace(/\W/g, "") : null;
}

// The index has Chinese text in words, so a question is parted into words, too. A hyphen before a
// word would exclude it.
function parted(question) {
  const text = question.replace(/(^|\s)-+(?=\w)/g, "$1");
  if (!/\p{sc=Han}/u.test(text) || !Intl.Segmenter) return text;
  return [...new Intl.Segmenter("zh", {granularity: "word"}).segment(text)]
    .filter(part => part.isWordLike && part.segment !== "的").map(part => part.segment).join(" ");
}

// What the search is asked, and the word in it that a reader has not typed.
function asked(question) {
  const word = place(question) || WORDS.topics[key(question)] || wordOfFile(question);
  if (!word) return {text: parted(question), word: ""};
  // (^1: this word, and no longer one.)
  const number = word.match(/\d+(?:\.\d+)+$/);
  return {text: `${word}^1 ${word.startsWith("topic") ? parted(question) : number ? number[0] + "^1" : ""}`,
          word};
}

// The rank of a page for a word, by its tags.
function rank(page, word) {
  for (const tag of page.tags || []) {
    const [name, place] = tag.replace(/<[^>]*>/g, "").split(" r");
    if (name === word) return Number(place);
  }
  return 1000;
}

function inOrder(groups, word, chinese) {
  const order = groups.map((pages, i) => {
    const top = pages.find(page => !page.location.includes("#")) || pages[0];
    const keys = [top.location.startsWith("zh/") !== chinese, rank(top, word), i];
    for (const page of pages) { // a reader sees neither tags nor their words
      delete page.terms[word];
      delete page.tags;
    }
    return {pages, keys};
  });
  order.sort((a, b) => a.keys[0] - b.keys[0] || a.keys[1] - b.keys[1] || a.keys[2] - b.keys[2]);
  return order.map(group => group.pages);
}

// Between the page and the search, which runs in a Worker: message 0 has the index, 2 is a question,
// 3 its answer.
if (typeof window !== "undefined" && window.Worker) {
  const script = document.currentScript.src;
  let word = "", chinese = false;

  // Resolves when a reader goes to the search: by a click, by the keyboard, or by ?q= in the address.
  const wanted = new Promise(resolve => {
    const look = event => {
      if (event.target.closest && event.target.closest("[data-md-component=search], [for=__search]")
          || event.type === "keydown" && /^[sf/]$/.test(event.key)) resolve();
    };
    for (const type of ["focusin", "pointerdown", "keydown"]) document.addEventListener(type, look, true);
    if (/[?&]q=/.test(location.search)) resolve();
  });

  window.Worker = class extends window.Worker {
    postMessage(message, ...more) {
      if (message && message.type === 0) {
        wanted.then(() => fetch(new URL("search/pages.json", script))).then(answer => answer.json())
          .then(docs => super.postMessage({...message, data: {...message.data, docs}}, ...more));
        return;
      }
      if (message && message.type === 2) {
        const question = asked(message.data);
        word = question.word;
        chinese = /\p{sc=Han}/u.test(message.data) || document.documentElement.lang === "zh";
        message = {...message, data: question.text};
      }
      super.postMessage(message, ...more);
    }
    addEventListener(type, listener, ...more) {
      super.addEventListener(type, type !== "message" ? listener : event => {
        const answer = event.data;
        if (answer && answer.type === 3 && answer.data.items)
          answer.data.items = inOrder(answer.data.items, word, chinese);
        listener.call(this, event);
      }, ...more);
    }
  };
}
if (typeof module !== "undefined") module.exports = {place, key, asked, inOrder};
