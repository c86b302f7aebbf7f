package io.flinkgpu.sql.connector;

import io.flinkgpu.api.ErrorDetail;
import io.flinkgpu.api.LongLine;
import io.flinkgpu.api.MissingFile;
import io.flinkgpu.api.lines.Malformed;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.table.factories.FactoryUtil;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Options of a table of lines; docs/sql.md lists them. */
@PublicEvolving
public final class LinesOptions {

    /** Files, and directories with all below them. */
    public static final ConfigOption<List<String>> PATH =
            ConfigOptions.key("path").stringType().asList().noDefaultValue();

    /** Files by name, as {@link io.flinkgpu.source.LineFiles#ofGlob} says. */
    public static final ConfigOption<List<String>> GLOB =
            ConfigOptions.key("glob").stringType().asList().noDefaultValue();

    /** What is between fields; without it a line is one text. */
    public static final ConfigOption<String> SEPARATOR =
            ConfigOptions.key("separator").stringType().noDefaultValue();

    /** Whether fields may be in quotes. */
    public static final ConfigOption<Boolean> QUOTED =
            ConfigOptions.key("quoted").booleanType().defaultValue(false);

    /** What becomes of a line that does not have the columns of the table. */
    public static final ConfigOption<Malformed> MALFORMED =
            ConfigOptions.key("malformed").enumType(Malformed.class).defaultValue(Malformed.FAIL);

    /** How much of a malformed line is in the error. */
    public static final ConfigOption<ErrorDetail> ERROR_DETAIL =
            ConfigOptions.key("error-detail")
                    .enumType(ErrorDetail.class)
                    .defaultValue(ErrorDetail.NONE);

    /** How often new files are looked for; without it the table ends with the files there are. */
    public static final ConfigOption<Duration> MONITOR_INTERVAL =
            ConfigOptions.key("monitor-interval").durationType().noDefaultValue();

    /** The most bytes of a file that a reader is given at a time. */
    public static final ConfigOption<MemorySize> SPLIT_BYTES =
            ConfigOptions.key("split-bytes").memoryType().noDefaultValue();

    /** The most bytes of lines that are read at a time. */
    public static final ConfigOption<MemorySize> CHUNK_BYTES =
            ConfigOptions.key("chunk-bytes").memoryType().noDefaultValue();

    /** How long a line may be. */
    public static final ConfigOption<MemorySize> MAX_LINE_BYTES =
            ConfigOptions.key("max-line-bytes").memoryType().noDefaultValue();

    /** What becomes of a longer line. */
    public static final ConfigOption<LongLine> LONG_LINE =
            ConfigOptions.key("long-line").enumType(LongLine.class).defaultValue(LongLine.FAIL);

    /** What becomes of a file that was listed and is gone before it was read. */
    public static final ConfigOption<MissingFile> MISSING_FILE =
            ConfigOptions.key("missing-file")
                    .enumType(MissingFile.class)
                    .defaultValue(MissingFile.FAIL);

    /** Whether symbolic links below a directory are followed. */
    public static final ConfigOption<Boolean> FOLLOW_LINKS =
            ConfigOptions.key("follow-links").booleanType().defaultValue(false);

    /** What {@code 'fields.<column>.format'} begins with. */
    static final String FIELDS = "fields.";

    private LinesOptions() {}

    static Set<ConfigOption<?>> all() {
        return Set.of(
                PATH,
                GLOB,
                SEPARATOR,
                QUOTED,
                MALFORMED,
                ERROR_DETAIL,
                MONITOR_INTERVAL,
                SPLIT_BYTES,
                CHUNK_BYTES,
                MAX_LINE_BYTES,
                LONG_LINE,
                MISSING_FILE,
                FOLLOW_LINKS,
                FactoryUtil.SOURCE_PARALLELISM);
    }
}
