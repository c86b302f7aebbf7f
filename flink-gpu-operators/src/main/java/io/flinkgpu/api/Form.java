package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A way of writing text under which a record is searched as well: see {@link RuleSet#withForms}. What is decoded is
 * only searched; records leave as they came but for what is replaced.
 *
 * <p>Forms apply in the order that they have here, each to what the ones before it gave, and once more to what all of
 * them gave but {@link #PLUS}. Base64 is decoded in what {@link #UNICODE} read as well as in what that gave.
 */
@PublicEvolving
public enum Form {
    /** Percent-encoding of URLs: {@code %40} is {@code @}. */
    PERCENT,

    /** Character references of HTML and XML: {@code &#64;}, {@code &#x40;}, and names of ASCII characters. */
    HTML,

    /** Escapes of JSON strings, and {@code \xhh}: {@code \u0040}, {@code \n}, {@code \"}. */
    JSON,

    /** Control sequences of terminals, such as colours, are left out. */
    ANSI,

    /**
     * Unicode's compatibility forms (NFKC), decimal digits, dashes and spaces as in ASCII, and no characters that
     * are invisible.
     */
    UNICODE,

    /** Base64 of 16 or more characters, with either alphabet, that is text when it is decoded. A match in it replaces it whole. */
    BASE64,

    /** {@code +} for a space, as forms of the web have it. */
    PLUS;

    /** The name that rule files and command lines have for it: lower-case. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The form of a key.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Form ofKey(String key) {
        return Arrays.stream(values())
                .filter(form -> form.key().equals(key))
                .findAny()
                .orElseThrow(
                        () ->
                                Errors.argument(
                                        "unknown form: form='%s'; there are %s", key, keys()));
    }

    private static String keys() {
        return Arrays.stream(values()).map(Form::key).collect(Collectors.joining(", "));
    }
}
