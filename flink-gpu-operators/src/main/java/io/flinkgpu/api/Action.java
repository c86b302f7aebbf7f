package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;

/** What replaces a match. Texts are literal: {@code $1} and {@code \} mean nothing in them. */
@PublicEvolving
public sealed interface Action extends Serializable {

    /** Puts a fixed text in place of the match. */
    static Action label(String text) {
        return new Label(text);
    }

    /** Masks all but the last code points with {@code '*'}. */
    static Action maskKeepLast(int codePoints) {
        return new Mask(0, codePoints, '*');
    }

    /** Masks all but the first code points with {@code '*'}. */
    static Action maskKeepFirst(int codePoints) {
        return new Mask(codePoints, 0, '*');
    }

    /** Puts other digits and letters in place of those of the match, under the job's {@link HashKey}. */
    static Action maskFormat() {
        return new FormatMask();
    }

    /** Puts {@code prefix + HMAC-SHA-256 hex + suffix} in place of the match. */
    static Action hash(String prefix, int hexDigits, String suffix) {
        return new Hash(prefix, hexDigits, suffix);
    }

    /** Puts {@code prefix + number + suffix} in place of the match: 1 for the first of the rule in a record, then 2. */
    static Action counter(String prefix, String suffix) {
        return new Counter(prefix, suffix);
    }

    /** Removes the match; what comes together there is scanned again. */
    static Action drop() {
        return new Drop();
    }

    private static void requireUnicode(String name, String text) {
        Errors.present(name, text);
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new IllegalArgumentException(
                    "a text that is put into records must be Unicode, without unpaired surrogates: "
                            + name);
        }
    }

    /** A fixed text. */
    record Label(String text) implements Action {
        private static final long serialVersionUID = 1L;

        public Label {
            requireUnicode("label", text);
        }
    }

    /**
     * One mask character for each code point, but for the first and last few. A match of {@code
     * keepFirst + keepLast} code points or fewer is masked whole.
     *
     * @param keepFirst code points kept at the start
     * @param keepLast code points kept at the end
     * @param maskChar an ASCII character
     */
    record Mask(int keepFirst, int keepLast, char maskChar) implements Action {
        private static final long serialVersionUID = 1L;

        public Mask {
            if (keepFirst < 0 || keepLast < 0 || keepFirst > 1000 || keepLast > 1000) {
                throw Errors.argument(
                        "a mask keeps 0 to 1000 code points at each end: keepFirst=%s, keepLast=%s",
                        keepFirst, keepLast);
            }
            if (maskChar < 0x20 || maskChar > 0x7e) {
                throw new IllegalArgumentException(
                        "a mask character is printable ASCII: maskChar=U+"
                                + String.format("%04X", (int) maskChar));
            }
        }
    }

    /**
     * A mask that keeps the form: an ASCII digit becomes one, an ASCII letter one of its case, a character outside
     * ASCII a lower-case letter, and all else stays. Which ones depends on the match and the job's {@link HashKey} alone,
     * so the same text becomes the same; it cannot be undone. Of what was encoded, all else becomes {@code '*'}.
     */
    record FormatMask() implements Action {
        private static final long serialVersionUID = 1L;
    }

    /**
     * HMAC-SHA-256 of the match's bytes under the job's {@link HashKey}, as lower-case hex cut to
     * {@code hexDigits}. Put an id of the key into the prefix so that keys can rotate.
     *
     * @param hexDigits 16 to 64
     */
    record Hash(String prefix, int hexDigits, String suffix) implements Action {
        private static final long serialVersionUID = 1L;

        public Hash {
            requireUnicode("prefix", prefix);
            requireUnicode("suffix", suffix);
            if (hexDigits < 16 || hexDigits > 64) {
                throw new IllegalArgumentException(
                        "a hash keeps 16 to 64 hex digits: hexDigits=" + hexDigits);
            }
        }
    }

    /**
     * The number of the replacement among those of the same rule in the record, from 1, as decimal digits, so that readers
     * can tell them apart: {@code [EMAIL_1]}. The same text has another number at each place.
     *
     * @param prefix what is in front of the number; put the rule's name into it
     */
    record Counter(String prefix, String suffix) implements Action {
        private static final long serialVersionUID = 1L;

        public Counter {
            requireUnicode("prefix", prefix);
            requireUnicode("suffix", suffix);
        }
    }

    /** Nothing. */
    record Drop() implements Action {
        private static final long serialVersionUID = 1L;
    }
}
