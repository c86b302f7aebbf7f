package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Known test values of a rule. The rule leaves a match alone that equals one of the values, or starts
 * with one of the prefixes, and what else it finds within it; other rules do not. Comparison is byte
 * for byte in UTF-8.
 */
@PublicEvolving
public record AllowList(List<String> values, List<String> prefixes) implements Serializable {

    private static final long serialVersionUID = 1L;

    /** Keeps nothing. */
    public static final AllowList EMPTY = new AllowList(List.of(), List.of());

    public AllowList {
        values = List.copyOf(Errors.present("values", values));
        prefixes = List.copyOf(Errors.present("prefixes", prefixes));
        if (values.contains("") || prefixes.contains("")) {
            throw Errors.argument(
                    "an allow list's entries must not be empty: values=%s, prefixes=%s",
                    values, prefixes);
        }
        values.forEach(AllowList::requireUnicode);
        prefixes.forEach(AllowList::requireUnicode);
    }

    /** In UTF-8 an unpaired surrogate would become a question mark, which would be kept. */
    private static void requireUnicode(String text) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new IllegalArgumentException(
                    "an allow list's entries must be Unicode, without unpaired surrogates");
        }
    }

    /** Exact values. */
    public static AllowList ofValues(String... values) {
        return new AllowList(List.of(Errors.present("values", values)), List.of());
    }

    /** Prefixes. */
    public static AllowList ofPrefixes(String... prefixes) {
        return new AllowList(List.of(), List.of(Errors.present("prefixes", prefixes)));
    }

    /** Whether it keeps nothing. */
    public boolean isEmpty() {
        return values.isEmpty() && prefixes.isEmpty();
    }
}
