package io.flinkgpu.applications;

import io.flinkgpu.api.LineChunk;

import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFlatMapFunction;
import org.apache.flink.util.Collector;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Takes the latencies out of lines; those without a time or a latency are left out and counted. */
final class LatencyFinder extends RichFlatMapFunction<LineChunk, Latency> {

    private static final long serialVersionUID = 1L;

    private static final String UNKNOWN = "-";

    /** What is looked at of a line, which may be of any length. */
    private static final int MAX_LINE_BYTES = 1 << 16;

    private final HashMap<String, String> services;
    private transient LongCounter measured;
    private transient LongCounter withoutTime;
    private transient LongCounter withoutLatency;

    /**
     * @param services the service of each file's lines that name none, by the file's path
     */
    LatencyFinder(Map<String, String> services) {
        this.services = new HashMap<>(services);
    }

    @Override
    public void open(OpenContext context) {
        measured = getRuntimeContext().getLongCounter(Counters.MEASURED_LINES);
        withoutTime = getRuntimeContext().getLongCounter(Counters.LINES_WITHOUT_TIME);
        withoutLatency = getRuntimeContext().getLongCounter(Counters.LINES_WITHOUT_LATENCY);
    }

    @Override
    public void flatMap(LineChunk chunk, Collector<Latency> out) {
        String fileService = services.getOrDefault(chunk.file(), UNKNOWN);
        byte[] bytes = chunk.bytes();
        int start = 0;
        while (start < bytes.length) {
            int end = start;
            while (end < bytes.length && bytes[end] != '\n') {
                end++;
            }
            int length = Math.min(end - start, MAX_LINE_BYTES);
            line(new String(bytes, start, length, StandardCharsets.UTF_8), fileService, out);
            start = end + 1;
        }
    }

    private void line(String line, String fileService, Collector<Latency> out) {
        OptionalLong time = LogTime.find(line);
        if (time.isEmpty()) {
            withoutTime.add(1);
            return;
        }
        Optional<BigDecimal> millis = LogLatency.find(line);
        if (millis.isEmpty()) {
            withoutLatency.add(1);
            return;
        }
        measured.add(1);
        String service = LogService.find(line).orElse(fileService);
        out.collect(new Latency(service, time.getAsLong(), millis.get()));
    }
}
