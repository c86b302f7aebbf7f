package io.flinkgpu.windows;

import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Plays a {@link Scenario} and writes down all that can be seen from outside. */
final class Transcript {

    private final Scenario scenario;
    private final List<String> lines = new ArrayList<>();
    private final List<String> bad = new ArrayList<>();
    private Plan.Engine engine;
    private boolean rocksDb;
    private long nowMillis;
    private Job job;

    /** How the line of an engine starts whose state is not like Flink's. */
    static final String COUNTER = "late records dropped ";

    private Transcript(Scenario scenario, Plan.Engine engine) {
        this.scenario = scenario;
        this.engine = engine;
        this.rocksDb = scenario.rocksDb() && engine != Plan.Engine.JUDGE;
    }

    /** Of Flink's own operator with an aggregation that keeps all rows, on the heap. */
    static List<String> ofJudge(Scenario scenario) throws Exception {
        return new Transcript(scenario, Plan.Engine.JUDGE).play();
    }

    /** Of the engines that the scenario names. */
    static List<String> of(Scenario scenario) throws Exception {
        return new Transcript(scenario, scenario.first()).play();
    }

    private List<String> play() throws Exception {
        try {
            start(scenario.parallelism(), null);
            for (Event event : scenario.events()) {
                play(event);
            }
            end("end");
        } finally {
            if (job != null) {
                job.close();
            }
        }
        return lines;
    }

    private void play(Event event) throws Exception {
        if (event instanceof Event.Arrives arrives) {
            arrive(arrives);
        } else if (event instanceof Event.Watermark watermark) {
            job.watermark(watermark.channel(), watermark.timestamp());
        } else if (event instanceof Event.Status status) {
            job.status(status.channel(), status.idle());
        } else if (event instanceof Event.Clock clock) {
            nowMillis = clock.millis();
            job.clock(nowMillis);
        } else if (event instanceof Event.Mails) {
            job.mails();
        } else if (event instanceof Event.Checkpoint) {
            job.save(false);
            lines.add("checkpoint: " + sizes());
        } else if (event instanceof Event.Restart restart) {
            restart(restart);
        } else if (event instanceof Event.End) {
            job.end();
        }
    }

    private void arrive(Event.Arrives arrives) throws Exception {
        if (arrives.bad() && engine == Plan.Engine.JUDGE) {
            bad.add(arrives.reading().toString());
        } else {
            job.arrives(arrives.channel(), arrives.reading(), arrives.timestamp());
        }
    }

    private void restart(Event.Restart restart) throws Exception {
        Job.Saved saved = job.save(restart.canonical());
        end("restart");
        job.close();
        if (engine != Plan.Engine.JUDGE) {
            if (restart.swap()) {
                engine = engine.next();
            }
            rocksDb = scenario.rocksDb() && rocksDb != restart.canonical();
        }
        start(restart.parallelism(), saved);
    }

    private void end(String mark) {
        job.recorded(mark).forEach(segment -> lines.add(segment.toString()));
        lines.add(mark + ": " + sizes());
        job.deadLetters().forEach(letter -> bad.add(letter.record().toString()));
        Collections.sort(bad);
        lines.add("dead letters: " + bad);
        bad.clear();
    }

    /** Of tables nothing but the counter can be compared. */
    private String sizes() {
        return engine == Plan.Engine.OURS ? COUNTER + job.lateRecordsDropped() : job.sizes();
    }

    private void start(int parallelism, Job.Saved saved) throws Exception {
        StateBackend backend =
                rocksDb ? new EmbeddedRocksDBStateBackend() : new HashMapStateBackend();
        job =
                new Job(
                        Stages.of(scenario.plan(), engine),
                        scenario.plan()::row,
                        scenario.channels(),
                        engine == Plan.Engine.JUDGE ? 1 : parallelism,
                        scenario.objectReuse(),
                        backend,
                        nowMillis,
                        saved);
    }
}
