package io.flinkgpu.sql.planner;

import java.util.List;
import java.util.stream.Collectors;

/** Texts as JSON has them. */
final class JsonText {

    private JsonText() {}

    static String of(List<String> texts) {
        return texts.stream().map(JsonText::of).collect(Collectors.joining(", ", "[", "]"));
    }

    static String of(String text) {
        StringBuilder json = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c)) {
                json.append("\\u%04x".formatted((int) c));
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }
}
