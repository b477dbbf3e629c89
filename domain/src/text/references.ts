/** References to characters, as HTML and programs that took their words from a page write them: `&amp;`, `&#39;`, `&rarr;`. */

/** From the character before each list on, in their order; `_` for one without a name. */
const rows: readonly (readonly [first: number, names: string])[] = [
  [
    0xa0,
    `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para
    middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute
    Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml
    Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml
    eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml`,
  ],
  [
    0x391,
    `Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho _ Sigma Tau Upsilon Phi Chi Psi
    Omega _ _ _ _ _ _ _ alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma
    tau upsilon phi chi psi omega`,
  ],
  [0x2018, 'lsquo rsquo sbquo _ ldquo rdquo bdquo _ dagger Dagger bull _ _ _ hellip'],
  [0x2190, 'larr uarr rarr darr harr'],
  [0x21d0, 'lArr uArr rArr dArr hArr'],
];
const single =
  `quot " amp & apos ' lt < gt > ndash – mdash — horbar ― prime ′ Prime ″ lsaquo ‹ rsaquo › trade ™ euro € minus −
  OElig Œ oelig œ Scaron Š scaron š Yuml Ÿ fnof ƒ circ ˆ tilde ˜ permil ‰ oline ‾ frasl ⁄ infin ∞ ne ≠ le ≤ ge ≥ asymp ≈
  radic √ sum ∑ prod ∏ part ∂ int ∫ loz ◊ spades ♠ clubs ♣ hearts ♥ diams ♦ star ☆ starf ★ sung ♪ flat ♭ natural ♮ sharp ♯
  check ✓ cross ✗ excl ! quest ? num # dollar $ percnt % lpar ( rpar ) ast * plus + comma , period . sol / colon : semi ;
  equals = commat @ lsqb [ rsqb ] lbrack [ rbrack ] bsol \\ lowbar _ grave \` lcub { verbar | rcub } Amacr Ā amacr ā Cacute Ć cacute ć Ccaron Č
  ccaron č Ecaron Ě ecaron ě Eogon Ę eogon ę Aogon Ą aogon ą Lstrok Ł lstrok ł Nacute Ń nacute ń Sacute Ś sacute ś Zacute Ź
  zacute ź Zdot Ż zdot ż Zcaron Ž zcaron ž Gbreve Ğ gbreve ğ Idot İ imath ı Scedil Ş scedil ş Rcaron Ř rcaron ř Dcaron Ď
  dcaron ď Tcaron Ť tcaron ť Ncaron Ň ncaron ň Uring Ů uring ů Odblac Ő odblac ő Udblac Ű udblac ű Abreve Ă abreve ă`.split(
    /\s+/u,
  );
/** Blanks and what can't be seen. */
const unseen = { ensp: 0x2002, emsp: 0x2003, thinsp: 0x2009, zwnj: 0x200c, zwj: 0x200d, lrm: 0x200e, rlm: 0x200f };
const [tab, line] = [9, 10];

const named = new Map<string, string>([
  ...rows.flatMap(([first, names]) =>
    names.split(/\s+/u).map((name, at) => [name, String.fromCodePoint(first + at)] as const),
  ),
  ...single.flatMap((name, at) => (at % 2 === 0 ? [[name, single[at + 1] ?? ''] as const] : [])),
  ...Object.entries({ ...unseen, Tab: tab, NewLine: line }).map(
    ([name, code]) => [name, String.fromCodePoint(code)] as const,
  ),
]);
named.delete('_');
/** What pages mean by the numbers from 0x80 to 0x9f. */
const western = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** References are read once: what they spell is text, never another one. Unknown names stay as they are. */
export function withoutReferences(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}\d{0,2}));?/giu,
    (all: string, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return (all.endsWith(';') ? named.get(name) : undefined) ?? all;
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      if (code >= 0x80 && code <= 0x9f) return western.charAt(code - 0x80);
      const isCharacter = code > 0 && code <= 0x10_ffff && (code < 0xd800 || code > 0xdfff);
      return isCharacter ? String.fromCodePoint(code) : '\ufffd';
    },
  );
}
