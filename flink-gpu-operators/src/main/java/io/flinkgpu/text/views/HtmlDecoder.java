package io.flinkgpu.text.views;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Character references: numbers of up to eight digits, and names of ASCII characters (HTML, section 13.5). */
final class HtmlDecoder extends Decoder {

    private static final int MAX_NAME = 8;
    private static final int MAX_DIGITS = 8;

    private static final Map<String, Integer> NAMES =
            Map.ofEntries(
                    name("Tab", '\t'),
                    name("NewLine", '\n'),
                    name("nbsp", 0xa0),
                    name("excl", '!'),
                    name("quot", '"'),
                    name("QUOT", '"'),
                    name("num", '#'),
                    name("dollar", '$'),
                    name("percnt", '%'),
                    name("amp", '&'),
                    name("AMP", '&'),
                    name("apos", '\''),
                    name("lpar", '('),
                    name("rpar", ')'),
                    name("ast", '*'),
                    name("plus", '+'),
                    name("comma", ','),
                    name("period", '.'),
                    name("sol", '/'),
                    name("colon", ':'),
                    name("semi", ';'),
                    name("lt", '<'),
                    name("LT", '<'),
                    name("equals", '='),
                    name("gt", '>'),
                    name("GT", '>'),
                    name("quest", '?'),
                    name("commat", '@'),
                    name("lsqb", '['),
                    name("lbrack", '['),
                    name("bsol", '\\'),
                    name("rsqb", ']'),
                    name("rbrack", ']'),
                    name("Hat", '^'),
                    name("lowbar", '_'),
                    name("grave", '`'),
                    name("lcub", '{'),
                    name("lbrace", '{'),
                    name("verbar", '|'),
                    name("vert", '|'),
                    name("rcub", '}'),
                    name("rbrace", '}'));

    private static Map.Entry<String, Integer> name(String name, int codePoint) {
        return Map.entry(name, codePoint);
    }

    @Override
    boolean isTrigger(int unsignedByte) {
        return unsignedByte == '&';
    }

    @Override
    int decode(byte[] text, int at, int end) {
        if (at + 2 >= end) {
            return -1;
        }
        if (text[at + 1] != '#') {
            return named(text, at, end);
        }
        boolean hex = (text[at + 2] | 0x20) == 'x';
        int radix = hex ? 16 : 10;
        int from = at + (hex ? 3 : 2);
        int to = from;
        long value = 0;
        while (to < end && to < from + MAX_DIGITS && isDigit(text[to], radix)) {
            value = value * radix + Character.digit(text[to++], radix);
        }
        if (to == from || to == end || text[to] != ';') {
            return -1;
        }
        putCodePoint(value == 0 || value > Character.MAX_CODE_POINT ? 0xfffd : (int) value);
        return to + 1 - at;
    }

    private static boolean isDigit(byte b, int radix) {
        return b >= 0 && Character.digit(b, radix) >= 0;
    }

    private static boolean isLetter(byte b) {
        return b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z';
    }

    private int named(byte[] text, int at, int end) {
        int to = at + 1;
        while (to < end && to <= at + MAX_NAME && isLetter(text[to])) {
            to++;
        }
        if (to == end || text[to] != ';') {
            return -1;
        }
        Integer codePoint =
                NAMES.get(new String(text, at + 1, to - at - 1, StandardCharsets.ISO_8859_1));
        if (codePoint == null) {
            return -1;
        }
        putCodePoint(codePoint);
        return to + 1 - at;
    }
}
