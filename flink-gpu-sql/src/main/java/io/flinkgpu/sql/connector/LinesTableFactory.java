package io.flinkgpu.sql.connector;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.lines.Delimited;
import io.flinkgpu.source.LineFiles;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.core.fs.Path;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Makes the source of a table {@code WITH ('connector' = 'gpu-lines', 'path' = ..)}. */
@PublicEvolving
public final class LinesTableFactory implements DynamicTableSourceFactory {

    public static final String IDENTIFIER = "gpu-lines";

    @Override
    public DynamicTableSource createDynamicTableSource(Context context) {
        FactoryUtil.TableFactoryHelper helper = FactoryUtil.createTableFactoryHelper(this, context);
        helper.validateExcept(LinesOptions.FIELDS);
        ReadableConfig options = helper.getOptions();
        DataType row = context.getPhysicalRowDataType();
        Delimited format =
                format(
                        options,
                        (RowType) row.getLogicalType(),
                        context.getCatalogTable().getOptions());
        return new LinesTableSource(
                new LinesTable(
                        format,
                        options.get(LinesOptions.MALFORMED),
                        GpuOptions.DEFAULT.withErrorDetail(options.get(LinesOptions.ERROR_DETAIL)),
                        files(options),
                        options.getOptional(LinesOptions.MONITOR_INTERVAL).isEmpty(),
                        options.getOptional(FactoryUtil.SOURCE_PARALLELISM).orElse(null)),
                row);
    }

    /** Null if a line is one text. */
    private static Delimited format(
            ReadableConfig options, RowType columns, Map<String, String> tableOptions) {
        String separator = options.get(LinesOptions.SEPARATOR);
        if (separator == null) {
            RawLines.checkColumns(columns);
            return null;
        }
        String character = separator.equals("\\t") ? "\t" : separator;
        if (character.length() != 1) {
            throw Errors.argument(
                    "a separator is one character: separator='%s'; use for example ';' or '\\t'",
                    separator);
        }
        Delimited empty = Delimited.of(character.charAt(0));
        return ColumnFormats.of(
                options.get(LinesOptions.QUOTED) ? empty.quoted() : empty, columns, tableOptions);
    }

    private static LineFiles files(ReadableConfig options) {
        boolean byPath = options.getOptional(LinesOptions.PATH).isPresent();
        if (byPath == options.getOptional(LinesOptions.GLOB).isPresent()) {
            throw Errors.argument(
                    "a table of lines has either 'path' or 'glob': path=%s, glob=%s; give one",
                    options.get(LinesOptions.PATH), options.get(LinesOptions.GLOB));
        }
        LineFiles files =
                byPath
                        ? LineFiles.of(
                                options.get(LinesOptions.PATH).stream()
                                        .map(Path::new)
                                        .toArray(Path[]::new))
                        : LineFiles.ofGlob(options.get(LinesOptions.GLOB).toArray(new String[0]));
        files =
                files.onMissingFile(options.get(LinesOptions.MISSING_FILE))
                        .followLinks(options.get(LinesOptions.FOLLOW_LINKS));
        Optional<MemorySize> maxLineBytes = options.getOptional(LinesOptions.MAX_LINE_BYTES);
        if (maxLineBytes.isPresent()) {
            files =
                    files.maxLineBytes(
                            intBytes(LinesOptions.MAX_LINE_BYTES, maxLineBytes.get()),
                            options.get(LinesOptions.LONG_LINE));
        }
        Optional<MemorySize> chunkBytes = options.getOptional(LinesOptions.CHUNK_BYTES);
        if (chunkBytes.isPresent()) {
            files = files.chunkBytes(intBytes(LinesOptions.CHUNK_BYTES, chunkBytes.get()));
        }
        Optional<MemorySize> splitBytes = options.getOptional(LinesOptions.SPLIT_BYTES);
        if (splitBytes.isPresent()) {
            files = files.splitBytes(splitBytes.get().getBytes());
        }
        return options.getOptional(LinesOptions.MONITOR_INTERVAL)
                .map(files::monitorEvery)
                .orElse(files);
    }

    private static int intBytes(ConfigOption<MemorySize> option, MemorySize size) {
        if (size.getBytes() > Integer.MAX_VALUE) {
            throw Errors.argument("'%s' is at most 256 MiB: bytes=%s", option.key(), size);
        }
        return (int) size.getBytes();
    }

    @Override
    public String factoryIdentifier() {
        return IDENTIFIER;
    }

    @Override
    public Set<ConfigOption<?>> requiredOptions() {
        return Set.of();
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
        return LinesOptions.all();
    }
}
