package io.flinkgpu.windows;

import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.function.Function;

/**
 * What an operator emitted: rows and late records between one watermark or status and the next. Their
 * order in between is free, as Flink gives none to the keys of a watermark.
 */
final class Recording {

    private final List<Segment> segments = new ArrayList<>();
    private List<String> rows = new ArrayList<>();
    private List<String> late = new ArrayList<>();

    /** What was emitted before a mark, each in alphabetical order. */
    record Segment(List<String> rows, List<String> late, String mark) {

        private Segment and(Segment other) {
            if (!mark.equals(other.mark)) {
                throw new IllegalStateException(
                        "subtasks emitted different marks: " + mark + ", " + other.mark);
            }
            return new Segment(sorted(rows, other.rows), sorted(late, other.late), mark);
        }

        @Override
        public String toString() {
            return "before " + mark + ": " + rows + (late.isEmpty() ? "" : ", late " + late);
        }
    }

    /** Takes everything from a harness's outputs. */
    void take(
            Queue<Object> output,
            Queue<StreamRecord<Reading>> lateOutput,
            Function<Object, String> row) {
        for (StreamRecord<Reading> record;
                lateOutput != null && (record = lateOutput.poll()) != null; ) {
            late.add(record.getValue() + " @" + record.getTimestamp());
        }
        for (Object element; (element = output.poll()) != null; ) {
            if (element instanceof StreamRecord<?> record) {
                rows.add(row.apply(record.getValue()) + " @" + record.getTimestamp());
            } else if (element instanceof Watermark watermark) {
                close("watermark " + watermark.getTimestamp());
            } else if (element instanceof WatermarkStatus status) {
                close(status.isIdle() ? "idle" : "active");
            } else {
                throw new IllegalStateException("unexpected output: " + element);
            }
        }
    }

    /** Ends the segment where it is. */
    void close(String mark) {
        segments.add(new Segment(sorted(rows, List.of()), sorted(late, List.of()), mark));
        rows = new ArrayList<>();
        late = new ArrayList<>();
    }

    /** The segments of subtasks that all got the same marks, put together. */
    static List<Segment> together(List<Recording> subtasks) {
        List<Segment> all = subtasks.get(0).segments;
        for (Recording other : subtasks.subList(1, subtasks.size())) {
            if (other.segments.size() != all.size()) {
                throw new IllegalStateException("subtasks emitted different numbers of marks");
            }
            List<Segment> both = new ArrayList<>();
            for (int i = 0; i < all.size(); i++) {
                both.add(all.get(i).and(other.segments.get(i)));
            }
            all = both;
        }
        return all;
    }

    private static List<String> sorted(List<String> some, List<String> others) {
        List<String> all = new ArrayList<>(some);
        all.addAll(others);
        Collections.sort(all);
        return all;
    }
}
