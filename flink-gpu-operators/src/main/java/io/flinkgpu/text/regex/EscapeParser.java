package io.flinkgpu.text.regex;

/** Reads escapes that stand for one code point. */
final class EscapeParser {

    private final PatternText text;
    private int end;

    EscapeParser(PatternText text) {
        this.text = text;
    }

    /** The position after the escape read last. */
    int end() {
        return end;
    }

    /** The code point of the escape whose letter, after the backslash, is at a position. */
    int codePoint(int letterAt) {
        int letter = text.at(letterAt);
        end = letterAt + 1;
        return switch (letter) {
            case '0' -> octal();
            case 'a' -> 0x07;
            case 'c' -> text.at(end++) ^ 64;
            case 'e' -> 0x1b;
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            case 'x' -> hexadecimal();
            default -> letter;
        };
    }

    private int octal() {
        int value = text.at(end++) - '0';
        int maxDigits = value <= 3 ? 3 : 2;
        for (int digits = 1; digits < maxDigits && isOctal(text.at(end)); digits++) {
            value = 8 * value + text.at(end++) - '0';
        }
        return value;
    }

    private static boolean isOctal(int codePoint) {
        return codePoint >= '0' && codePoint <= '7';
    }

    private int hexadecimal() {
        if (text.at(end) != '{') {
            return digits(2);
        }
        end++;
        int value = 0;
        while (text.at(end) != '}') {
            value = 16 * value + Character.digit(text.at(end++), 16);
        }
        end++;
        return value;
    }

    /** Two escapes that are a surrogate pair are one code point. */
    private int unicode() {
        int value = digits(4);
        if (Character.isHighSurrogate((char) value) && text.startsWith("\\u", end)) {
            int behindFirst = end;
            end += 2;
            int low = digits(4);
            if (Character.isLowSurrogate((char) low)) {
                return Character.toCodePoint((char) value, (char) low);
            }
            end = behindFirst;
        }
        return value;
    }

    private int digits(int count) {
        int value = 0;
        for (int i = 0; i < count; i++) {
            value = 16 * value + Character.digit(text.at(end++), 16);
        }
        return value;
    }
}
