package io.flinkgpu.applications;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** What redaction with a small rule set must give, by {@code java.util.regex} on whole files. */
final class Expected {

    static final String RULES_TSV = "secret\tsecret=[a-z]{1,20}\t[SECRET]\n";

    private static final Pattern SECRET = Pattern.compile("secret=[a-z]{1,20}");

    private Expected() {}

    /** The rule is ASCII and spans no line end, so bytes may be read as ISO 8859-1. */
    static byte[] redact(byte[] input) {
        String text = new String(input, StandardCharsets.ISO_8859_1);
        return bytes(SECRET.matcher(text).replaceAll("[SECRET]"));
    }

    /** ISO 8859-1. */
    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
