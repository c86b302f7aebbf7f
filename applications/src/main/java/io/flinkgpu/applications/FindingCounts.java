package io.flinkgpu.applications;

import io.flinkgpu.api.Finding;

import org.apache.flink.api.common.accumulators.Accumulator;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Findings of a job by rule and source, how many there were in each second, and a few of them; reaches the client with
 * the job's result. Not thread-safe.
 */
final class FindingCounts implements Accumulator<Finding, FindingCounts.Snapshot> {

    private static final long serialVersionUID = 1L;

    private static final int MAX_SAMPLES_PER_RULE = 3;
    private static final int MAX_SECONDS = 3600;

    /**
     * One of the findings.
     *
     * @param line where its line starts in the source
     * @param offset where it starts in the line
     */
    record Sample(String rule, String source, long line, int offset, int length, String hash)
            implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    /** What is counted, and what the client gets. */
    static final class Snapshot implements Serializable {
        private static final long serialVersionUID = 1L;

        /** By rule, then by source. */
        final TreeMap<String, TreeMap<String, Long>> rules = new TreeMap<>();

        /** By seconds of one length since the epoch. */
        final TreeMap<Long, Long> times = new TreeMap<>();

        /** How many seconds a time stands for: 1, or more where there were too many. */
        long secondsPerTime = 1;

        final ArrayList<Sample> samples = new ArrayList<>();

        private void add(String rule, String source, long count) {
            rules.computeIfAbsent(rule, it -> new TreeMap<>()).merge(source, count, Long::sum);
        }

        private void addTime(long second, long count) {
            times.merge(second - Math.floorMod(second, secondsPerTime), count, Long::sum);
            while (times.size() > MAX_SECONDS) {
                coarsen(2 * secondsPerTime);
            }
        }

        private void coarsen(long seconds) {
            TreeMap<Long, Long> finer = new TreeMap<>(times);
            times.clear();
            secondsPerTime = seconds;
            finer.forEach(
                    (time, count) ->
                            times.merge(time - Math.floorMod(time, seconds), count, Long::sum));
        }

        private void addSample(Sample sample) {
            long there = samples.stream().filter(it -> it.rule().equals(sample.rule())).count();
            if (there < MAX_SAMPLES_PER_RULE) {
                samples.add(sample);
            }
        }

        private void merge(Snapshot other) {
            other.rules.forEach(
                    (rule, sources) ->
                            sources.forEach((source, count) -> add(rule, source, count)));
            long seconds = Math.max(secondsPerTime, other.secondsPerTime);
            coarsen(seconds);
            other.times.forEach(this::addTime);
            other.samples.forEach(this::addSample);
        }

        long count(String rule) {
            return rules.getOrDefault(rule, new TreeMap<>()).values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
        }

        long total() {
            return times.values().stream().mapToLong(Long::longValue).sum();
        }

        /** By source, of all rules. */
        Map<String, Long> sources() {
            Map<String, Long> sources = new TreeMap<>();
            rules.values()
                    .forEach(
                            of ->
                                    of.forEach(
                                            (source, count) ->
                                                    sources.merge(source, count, Long::sum)));
            return sources;
        }

        /** Rules with findings, the most first. */
        List<String> byCount() {
            return rules.keySet().stream()
                    .sorted(
                            Comparator.comparingLong((String rule) -> -count(rule))
                                    .thenComparing(Comparator.naturalOrder()))
                    .toList();
        }
    }

    private Snapshot counts = new Snapshot();

    @Override
    public void add(Finding finding) {
        counts.add(finding.rule(), finding.source(), 1);
        counts.addTime(Math.floorDiv(finding.foundAtMillis(), 1000L), 1);
        counts.addSample(
                new Sample(
                        finding.rule(),
                        finding.source(),
                        finding.record(),
                        finding.offsetBytes(),
                        finding.lengthBytes(),
                        finding.hash()));
    }

    @Override
    public Snapshot getLocalValue() {
        return counts;
    }

    @Override
    public void resetLocal() {
        counts = new Snapshot();
    }

    @Override
    public void merge(Accumulator<Finding, Snapshot> other) {
        counts.merge(other.getLocalValue());
    }

    @Override
    public FindingCounts clone() {
        FindingCounts copy = new FindingCounts();
        copy.counts.merge(counts);
        return copy;
    }
}
