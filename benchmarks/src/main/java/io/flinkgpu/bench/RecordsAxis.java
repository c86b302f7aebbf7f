package io.flinkgpu.bench;

import io.flinkgpu.GpuStreams;
import io.flinkgpu.api.Action;
import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the operator costs a record beside the redaction itself: records of 24 characters that one rule
 * is looked for in and not found, against a map that does nothing in the same place. One task, so the
 * time of a record is the job's by its records, the source's included.
 */
final class RecordsAxis {

    private static final int RECORDS = 4_000_000;
    private static final int QUICK_RECORDS = 10_000;
    private static final int TEXTS = 1 << 10;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final RuleSet RULES =
            RuleSet.of(Rule.of("ticket", "TICKET-[0-9]{6}", Action.label("[TICKET]")));

    private final int records;
    private final Lab lab;

    private RecordsAxis(Lab lab) {
        this.lab = lab;
        records = lab.settings().pick(RECORDS, QUICK_RECORDS);
    }

    static void run(Lab lab) throws Exception {
        new RecordsAxis(lab).run();
    }

    private void run() throws Exception {
        int runs = lab.settings().runs();
        List<BackendChoice> backends = lab.choices();
        double[] map = new double[runs];
        double[][] ours = new double[backends.size()][runs];
        // Engines in turns, the first of which is to warm up.
        for (int run = lab.settings().pick(-1, 0); run < runs; run++) {
            int kept = Math.max(0, run);
            map[kept] = nanosPerRecord(null);
            for (int i = 0; i < backends.size(); i++) {
                ours[i][kept] = nanosPerRecord(backends.get(i));
            }
        }
        add(Engines.FLINK_MAP, map);
        for (int i = 0; i < backends.size(); i++) {
            add(Engines.flink(backends.get(i)), ours[i]);
            List<Double> over = new ArrayList<>();
            for (int run = 0; run < runs; run++) {
                over.add(ours[i][run] - map[run]);
            }
            double[] values = over.stream().mapToDouble(Double::doubleValue).toArray();
            add(Engines.flink(backends.get(i)) + "-over-map", values);
        }
    }

    private void add(String engine, double[] values) throws IOException {
        Map<String, Long> at = new LinkedHashMap<>();
        at.put("records", (long) records);
        lab.add(Figure.of("records", engine, at, "ns/record", values));
    }

    /**
     * @param backend of the operator, or null for the map
     */
    private double nanosPerRecord(BackendChoice backend) throws Exception {
        String[] texts = new String[TEXTS];
        for (int i = 0; i < TEXTS; i++) {
            texts[i] = "order accepted " + (100_000_000 + i);
        }
        StreamExecutionEnvironment environment = lab.jobs().environment(1);
        DataStream<String> source =
                environment.fromSource(
                        new DataGeneratorSource<>(
                                number -> texts[(int) (number & TEXTS - 1)], records, Types.STRING),
                        WatermarkStrategy.noWatermarks(),
                        "texts");
        DataStream<String> out =
                backend == null
                        ? source.map(text -> text).returns(Types.STRING)
                        : GpuStreams.redact(
                                source,
                                text -> text,
                                (text, redacted) -> redacted,
                                RULES,
                                GpuOptions.DEFAULT.withBackend(backend));
        out.sinkTo(new DiscardingSink<>());
        return Jobs.seconds(environment.execute("records")) * NANOS_PER_SECOND / records;
    }
}
