package io.flinkgpu.cells;

import org.apache.datasketches.hll.HllSketch;
import org.apache.datasketches.hll.TgtHllType;
import org.apache.datasketches.hll.Union;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Against Apache DataSketches: the same coupons and registers, and estimates near its own.
 *
 * <p>Covers: DistinctSketch.
 */
class DistinctSketchTest {

    private static final long SEED = Long.getLong("cells.seed", System.nanoTime());

    /** Standard errors that an estimate may be off; once in a hundred million. */
    private static final double SIGMAS = 6;

    private final Random random = new Random(SEED);

    @ParameterizedTest
    @ValueSource(ints = {4, 6, 7, 8, 10, 12, 14})
    void imagesAreThoseOfDataSketches(int lgK) {
        DistinctSketch function = new DistinctSketch(lgK, true);
        for (int size : new int[] {1, 2, 7, 8, 9, 40, 384, 385, 1000, 20_000}) {
            HllSketch theirs = new HllSketch(lgK, TgtHllType.HLL_8);
            List<byte[]> rows = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                add(rows, theirs);
            }
            byte[] cell = Merging.merged(function, rows, random);
            byte[] image = (byte[]) function.result(cell, 0, cell.length);
            HllSketch ours = HllSketch.heapify(image);
            String label = "seed=" + SEED + ", lgK=" + lgK + ", size=" + size;
            assertThat(ours.getLgConfigK()).as(label).isEqualTo(lgK);
            assertThat(ours.getCompositeEstimate())
                    .as(label)
                    .isEqualTo(theirs.getCompositeEstimate());
            assertThat(registers(ours)).as(label).isEqualTo(registers(theirs));
            // The same again changes nothing.
            Union union = new Union(lgK);
            union.update(theirs);
            double before = union.getCompositeEstimate();
            union.update(ours);
            assertThat(union.getCompositeEstimate()).as(label).isEqualTo(before);
        }
    }

    /** The image as DataSketches writes it, but for how it estimates. */
    private static byte[] registers(HllSketch sketch) {
        Union union = new Union(sketch.getLgConfigK());
        union.update(sketch);
        byte[] image = union.getResult(TgtHllType.HLL_8).toCompactByteArray();
        boolean areRegisters = (image[7] & 3) == 2;
        if (areRegisters) {
            return Arrays.copyOfRange(image, 40, image.length);
        }
        int[] coupons = new int[image.length / 4];
        int dataAt = 4 * image[0];
        for (int i = dataAt; i < image.length; i++) {
            coupons[i / 4] |= (image[i] & 0xff) << 8 * (i % 4);
        }
        Arrays.sort(coupons);
        return Arrays.toString(coupons).getBytes(StandardCharsets.US_ASCII);
    }

    private void add(List<byte[]> rows, HllSketch theirs) {
        switch (random.nextInt(4)) {
            case 0 -> {
                long value = random.nextInt(1000);
                rows.add(row(Coupons.ofLong(value)));
                theirs.update(value);
            }
            case 1 -> {
                double value = random.nextInt(9) == 0 ? -0.0 : random.nextGaussian();
                rows.add(row(Coupons.ofDouble(value)));
                theirs.update(value);
            }
            case 2 -> {
                double nan = Double.longBitsToDouble(0xfff8_0000_dead_beefL);
                rows.add(row(Coupons.ofDouble(nan)));
                theirs.update(Double.NaN);
            }
            default -> {
                String text = "ä" + "x".repeat(random.nextInt(40)) + random.nextInt(100_000);
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                rows.add(row(Coupons.ofText(bytes, 0, bytes.length)));
                theirs.update(text);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5, 9, 12})
    void dependsOnTheValuesAlone(int lgK) {
        DistinctSketch function = new DistinctSketch(lgK, false);
        for (int run = 0; run < 60; run++) {
            List<byte[]> rows = new ArrayList<>();
            for (int left = random.nextInt(1 << random.nextInt(12)); left >= 0; left--) {
                rows.add(row(Coupons.ofLong(random.nextInt(700))));
            }
            byte[] cell = Merging.merged(function, rows, random);
            Collections.shuffle(rows, random);
            rows.addAll(rows.subList(0, rows.size() / 2));
            assertThat(Merging.merged(function, rows, random))
                    .as("seed=%d, lgK=%d", SEED, lgK)
                    .isEqualTo(cell);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 8, 12})
    void estimatesHaveTheStatedError(int lgK) {
        DistinctSketch function = new DistinctSketch(lgK, false);
        double error = 1.04 / Math.sqrt(1 << lgK);
        // The asymptotic error is a bit too small for few registers.
        double slack = lgK < 8 ? 1.3 : 1.05;
        for (int size : new int[] {100, 1_000, 3 << lgK, 30_000, 300_000}) {
            long estimate = estimate(function, size);
            assertThat(estimate / (double) size)
                    .as("seed=%d, lgK=%d, size=%d", SEED, lgK, size)
                    .isBetween(
                            lgK < 8 ? 0.2 : 1 - SIGMAS * slack * error,
                            1 + SIGMAS * slack * error * (lgK < 8 ? 2 : 1));
        }
    }

    private long estimate(DistinctSketch function, int size) {
        HeapCell cell = new HeapCell();
        byte[] row = new byte[5];
        long start = random.nextLong();
        for (int i = 0; i < size; i++) {
            DistinctSketch.encode(Coupons.ofLong(start + i), row, 0);
            function.merge(cell, row, 0, row.length);
        }
        CellBytes bytes = new CellBytes();
        cell.read(bytes);
        return (long) function.result(bytes.array(), bytes.at(), bytes.length());
    }

    /** The mean of many estimates is right, which a single one cannot show. */
    @Test
    void estimatesAreNotBiased() {
        DistinctSketch function = new DistinctSketch(8, false);
        for (int size : new int[] {150, 400, 1_000, 5_000}) {
            double sum = 0;
            int runs = 400;
            for (int i = 0; i < runs; i++) {
                sum += estimate(function, size) / (double) size;
            }
            double error = 1.04 / 16 / Math.sqrt(runs);
            assertThat(sum / runs)
                    .as("seed=%d, size=%d", SEED, size)
                    .isBetween(1 - SIGMAS * error, 1 + SIGMAS * error);
        }
    }

    @Test
    void fewValuesAreCounted() {
        DistinctSketch function = new DistinctSketch(DistinctSketch.DEFAULT_LG_K, false);
        for (int size : new int[] {1, 2, 10, 300}) {
            assertThat(estimate(function, size)).as("seed=%d", SEED).isEqualTo(size);
        }
    }

    @Test
    void otherSizesAreRefused() {
        assertThatThrownBy(() -> new DistinctSketch(22, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "a distinct count has 2^4 to 2^21 registers: lgK=22; give a logarithm from 4"
                                + " to 21, of which 12 has an error of 1.6 percent");
    }

    private static byte[] row(int coupon) {
        byte[] row = new byte[5];
        assertThat(DistinctSketch.encode(coupon, row, 0)).isEqualTo(row.length);
        return row;
    }
}
