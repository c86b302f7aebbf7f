package io.flinkgpu.bench;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.column.ColumnBatch;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What changes cost the queries between them: batches of queries in turns with as many changes as come in the
 * same time of a stream, until they are those of some seconds, beside the same batches on the corpus as it
 * was loaded. Eight changes of ten replace a document, one adds one, one deletes one.
 */
final class SearchUpdates {

    private static final int BATCH = 512;
    private static final int OF_TEN = 10;

    private final SearchLab lab;
    private final BackendChoice backend;
    private final SearchRig rig;
    private final SetData data;
    private final double skew;
    private final SetData.Room room = new SetData.Room();
    private final SplitMix random = new SplitMix(1);
    private long changed;

    SearchUpdates(SearchLab lab, BackendChoice backend, SearchRig rig, SetData data, double skew) {
        this.lab = lab;
        this.backend = backend;
        this.rig = rig;
        this.data = data;
        this.skew = skew;
    }

    void run() throws Exception {
        int k = Math.toIntExact(lab.options().ks()[0]);
        int count = Math.min(BATCH, lab.options().queriesFor(backend));
        List<SetQuery> queries = SearchLab.queries(data, skew, count, k);
        String engine = SearchLab.engine(backend);
        Map<String, Long> at =
                SearchLab.at(
                        SearchLab.at(SearchLab.at(data, skew), "queries", count),
                        "changesPerSecond",
                        lab.options().rate());
        double[] before;
        try (ColumnBatch batch = rig.queries(queries)) {
            before =
                    SearchSpeed.times(rig, batch, lab.options().repeats()).stream()
                            .mapToDouble(SearchRig.Times::whole)
                            .toArray();
        }
        lab.add("updates", engine, at, "ms without changes", before);

        // Queries come at the same rate as changes.
        SetBlock changes = new SetBlock(count);
        int rounds =
                (int)
                        Math.min(
                                lab.options().rate() * lab.options().seconds() / count,
                                most(before));
        double[] searching = new double[rounds];
        double[] applying = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            draw(changes, count);
            applying[round] = rig.apply(changes) / 1e6;
            try (ColumnBatch batch = rig.queries(queries)) {
                searching[round] = rig.time(batch).whole();
            }
        }
        lab.add("updates", engine, at, "ms with changes", searching);
        lab.add("updates", engine, at, "ms of changes", applying);
        double[] sorted = before.clone();
        Arrays.sort(sorted);
        double sealed = sorted[sorted.length / 2];
        lab.add(
                "updates",
                engine,
                at,
                "times as long",
                Arrays.stream(searching).map(it -> it / sealed).toArray());
        lab.say(
                String.format(
                        Locale.ROOT,
                        "%s: %,d changes between %d batches; mean of a batch %.3f ms, of its changes"
                                + " %.3f ms (the longest %.1f); without changes %.3f ms",
                        engine,
                        changed,
                        rounds,
                        mean(searching),
                        mean(applying),
                        Arrays.stream(applying).max().orElse(0),
                        mean(before)));
    }

    /** As many rounds as about the seconds of a run allow. */
    private long most(double[] before) {
        return Math.max(3, (long) (1_000.0 * lab.options().seconds() / mean(before)));
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElse(0);
    }

    private void draw(SetBlock changes, int count) {
        changes.clear();
        for (int i = 0; i < count; i++, changed++) {
            long document = random.below(data.documents());
            long version = data.documents() + changed;
            switch (random.below(OF_TEN)) {
                case 0 -> changes.upsert(version, data, version, document, room);
                case 1 -> changes.delete(document);
                default -> changes.upsert(document, data, version, document, room);
            }
        }
    }
}
