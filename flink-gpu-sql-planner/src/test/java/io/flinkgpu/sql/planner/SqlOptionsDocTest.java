package io.flinkgpu.sql.planner;

import io.flinkgpu.api.BackendChoice;

import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.description.HtmlFormatter;

import org.junit.jupiter.api.Test;

import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The options of plans in the docs are those of the code; with {@code -Ddocs.update=true} docs/options.md is written.
 *
 * <p>Covers: GpuSqlOptions.
 */
class SqlOptionsDocTest {

    private static final Path DOCS = Path.of("../docs/options.md");
    private static final String BEGIN =
            "<!-- options of SQL plans, made by SqlOptionsDocTest -->\n";
    private static final String END = "<!-- end of the options of SQL plans -->\n";

    @Test
    void theDocsHaveTheOptionsOfTheCode() throws Exception {
        String docs = Files.readString(DOCS);
        int begin = docs.indexOf(BEGIN) + BEGIN.length();
        String updated = docs.substring(0, begin) + table() + docs.substring(docs.indexOf(END));
        if (Boolean.getBoolean("docs.update")) {
            Files.writeString(DOCS, updated);
        }
        assertThat(docs).isEqualTo(updated);
    }

    private static String table() throws Exception {
        String sql = Files.readString(Path.of("../docs/sql.md"));
        StringBuilder table = new StringBuilder("| option | default | says |\n|---|---|---|\n");
        for (Field field : GpuSqlOptions.class.getFields()) {
            if (field.get(null) instanceof ConfigOption<?> option) {
                assertThat(sql).contains("| `" + option.key() + "` |");
                table.append(
                        "| `%s` | %s | %s |\n"
                                .formatted(
                                        option.key(),
                                        shown(option.defaultValue()),
                                        new HtmlFormatter().format(option.description())));
            }
        }
        return table.toString();
    }

    private static String shown(Object value) {
        if (value instanceof BackendChoice backend) {
            // In lower case, as command lines and tables take it.
            return "`" + backend.name().toLowerCase(Locale.ROOT) + "`";
        }
        return value.toString().equals("[]") ? "" : "`" + value + "`";
    }
}
