"""The words by which the book is searched: those of the index, and of a question in the reader's browser.

``.632+`` and ``.632`` are words, as are whole numbers, for "Table 9" or "60 cases"; the decimals of tables are none.
The order in which pages are found is that of ``search.js``.
"""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.search.en import SearchEnglish

RANKING = Path(__file__).with_name("search.js")
"""What orders the pages that are found, in a browser."""

# Numbers with decimals or separators are skipped; a zero or a point before ``632+`` is no part of the word
_PATTERN = r"[1-9]\d*(?:[.,]\d+)+|(?:0\.)?(\d+\+|[^\W_]+)"
# The same for a browser, whose \w knows no letters but English ones
_SPLITTER = r"""
var splitQuery = (query) =>
  [...query.matchAll(/[1-9]\d*(?:[.,]\d+)+|(?:0\.)?(\d+\+|[\p{L}\p{N}]+)/gu)].map((found) => found[1]).filter(Boolean);
"""
# Digits of the longest number that is a word, and letters of the longest word with digits: others are digests
_DIGITS, _LETTERS = 4, 12
# Ends of what stands apart on a page, where a blank is not seen
_APART = re.compile("(</(?:t[hd]|caption|p|li|summary|figcaption|h[1-6])>)")
_ASKING = ("can", "did", "do", "does", "has", "have", "how", "i", "me", "my", "should", "we", "what", "you", "your")


class BookSearch(SearchEnglish):
    """English, with the words of this book."""

    stopwords = SearchEnglish.stopwords | {*_ASKING}
    js_splitter_code = _SPLITTER

    def split(self, input: str) -> list[str]:
        """Return the words of a text."""
        return [word for word in re.findall(_PATTERN, input) if word]

    def word_filter(self, word: str) -> bool:
        """Whether a word is indexed: no number of many digits or with a zero before others, and no digest."""
        if word.isdecimal() and (len(word) > _DIGITS or (len(word) > 1 and word.startswith("0"))):
            return False
        if len(word) > _LETTERS and any(map(str.isdecimal, word)):
            return False
        return super().word_filter(word)


def apart(page: str) -> str:
    """Put a blank behind cells and paragraphs of HTML: Sphinx leaves tags out, and their words would run together."""
    return _APART.sub(r"\1 ", page)
