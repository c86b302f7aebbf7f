package io.flinkgpu.applications;

import java.util.regex.Pattern;

/** Texts from files, made fit for a terminal. */
final class Printable {

    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

    private Printable() {}

    /** The text with spaces for what would act on the terminal: controls, formats, line ends. */
    static String of(String text) {
        return UNPRINTABLE.matcher(text).replaceAll(" ");
    }
}
