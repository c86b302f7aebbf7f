package io.flinkgpu.text.regex;

/** Reads quantifiers. */
final class QuantifierParser {

    static final int MAX_REPEATS = 10_000;

    private final PatternText text;
    private int min;
    private int max;
    private int mode;
    private int end;

    QuantifierParser(PatternText text) {
        this.text = text;
    }

    /** Reads the quantifier at a position; false if none is there. */
    boolean read(int from) {
        end = from + 1;
        max = Regex.Repeat.UNBOUNDED;
        switch (text.at(from)) {
            case '?' -> {
                min = 0;
                max = 1;
            }
            case '*' -> min = 0;
            case '+' -> min = 1;
            case '{' -> {
                min = number();
                max = min;
                if (text.at(end) == ',') {
                    end++;
                    max = text.at(end) == '}' ? Regex.Repeat.UNBOUNDED : number();
                }
                end++;
            }
            default -> {
                return false;
            }
        }
        mode = text.at(end);
        if (isLazy() || isPossessive()) {
            end++;
        }
        return true;
    }

    int min() {
        return min;
    }

    /** {@link Regex.Repeat#UNBOUNDED} if there is no upper limit. */
    int max() {
        return max;
    }

    boolean isLazy() {
        return mode == '?';
    }

    boolean isPossessive() {
        return mode == '+';
    }

    /** Whether a number is larger than allowed. */
    boolean isTooLarge() {
        return min > MAX_REPEATS || max > MAX_REPEATS && max != Regex.Repeat.UNBOUNDED;
    }

    /** The position after the quantifier. */
    int end() {
        return end;
    }

    /** A number; stops counting above the largest that is allowed. */
    private int number() {
        int number = 0;
        for (; text.at(end) >= '0' && text.at(end) <= '9'; end++) {
            number = Math.min(MAX_REPEATS + 1, 10 * number + text.at(end) - '0');
        }
        return number;
    }
}
