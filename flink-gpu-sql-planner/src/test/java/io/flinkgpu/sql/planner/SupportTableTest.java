package io.flinkgpu.sql.planner;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The table of functions in docs/sql.md is what the code says; with {@code -Ddocs.update=true} it is written.
 *
 * <p>Covers: Support.
 */
class SupportTableTest {

    private static final Path DOCS = Path.of("../docs/sql.md");
    private static final String BEGIN = "<!-- support table, made by SupportTableTest -->\n";
    private static final String END = "<!-- end of the support table -->\n";

    @Test
    void theDocsHaveTheTableOfTheCode() throws IOException {
        String docs = Files.readString(DOCS);
        int begin = docs.indexOf(BEGIN) + BEGIN.length();
        String updated = docs.substring(0, begin) + table() + docs.substring(docs.indexOf(END));
        if (Boolean.getBoolean("docs.update")) {
            Files.writeString(DOCS, updated);
        }
        assertThat(docs).isEqualTo(updated);
    }

    private static String table() {
        StringBuilder table = new StringBuilder("| function | of |\n|---|---|\n");
        for (Support.Function function : Support.functions()) {
            table.append("| `")
                    .append(function.name().replace("|", "\\|"))
                    .append("` | ")
                    .append(function.condition())
                    .append(" |\n");
        }
        return table.toString();
    }
}
