package io.flinkgpu.applications.kafka;

import java.util.Locale;

/** One flat JSON object, written field by field. */
final class JsonLine {

    private final StringBuilder text = new StringBuilder("{");

    JsonLine with(String name, long value) {
        name(name).append(value);
        return this;
    }

    /** JSON has no NaN and no infinities: they are null. */
    JsonLine with(String name, double value) {
        name(name).append(Double.isFinite(value) ? Double.toString(value) : "null");
        return this;
    }

    JsonLine with(String name, String value) {
        name(name);
        quote(value);
        return this;
    }

    private StringBuilder name(String name) {
        if (text.length() > 1) {
            text.append(',');
        }
        quote(name);
        return text.append(':');
    }

    private void quote(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c)) {
                text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }

    @Override
    public String toString() {
        return text + "}";
    }
}
