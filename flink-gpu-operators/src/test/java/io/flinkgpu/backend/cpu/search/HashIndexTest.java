package io.flinkgpu.backend.cpu.search;

import io.flinkgpu.api.search.SetChange;
import io.flinkgpu.backend.SearchRows;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.sets.Corpus;
import io.flinkgpu.sets.Tile;
import io.flinkgpu.sets.TileLimits;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: HashIndex, NumberIndex.
 */
class HashIndexTest {

    /** 0x9E3779B9 times this is 1. */
    private static final int INVERSE = 0x144cbc89;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    /** Elements of few buckets, of some and of many, so that a tag is whole or a part of it is in the bucket. */
    @ParameterizedTest
    @ValueSource(ints = {4, 16, 32})
    void findsTheDocumentsOfEachElement(int hashBits) throws Exception {
        for (int documents : new int[] {1, 15, 16, 17, 500, 40_000}) {
            Tile tile = tile(documents, hashBits);
            HashIndex index = HashIndex.of(new SizeOrder(Slots.of(tile)));
            Map<Integer, BitSet> expected = new HashMap<>();
            for (int slot = 0; slot < tile.documents(); slot++) {
                for (int i = tile.starts()[slot]; i < tile.starts()[slot + 1]; i++) {
                    expected.computeIfAbsent(tile.elements()[i], e -> new BitSet()).set(slot);
                }
            }
            expected.forEach(
                    (element, slots) ->
                            assertThat(found(index, element))
                                    .as("seed=%s, documents=%s", seed, documents)
                                    .isEqualTo(slots));
            for (int i = 0; i < 1_000; i++) {
                int element = element(hashBits) ^ (i % 2 == 0 ? 0 : random.nextInt());
                assertThat(found(index, element))
                        .as("seed=%s, documents=%s", seed, documents)
                        .isEqualTo(expected.getOrDefault(element, new BitSet()));
            }
            assertThat(index.bytes()).isLessThanOrEqualTo(HashIndex.mostBytes(Slots.of(tile)));
        }
    }

    private static BitSet found(HashIndex index, int element) {
        long place = index.find(element);
        if (place < 0) {
            return BitSet.valueOf(index.bitmaps[(int) ~place]);
        }
        BitSet found = new BitSet();
        for (int i = (int) (place >>> Integer.SIZE); i < (int) place; i++) {
            found.set(index.ranks[i]);
        }
        return found;
    }

    /** All documents are wide, as no element has a number. */
    private Tile tile(int documents, int hashBits) throws Exception {
        Corpus corpus = new Corpus(new TileLimits(documents, 1 << 10, 1 << 22), 0);
        List<SetChange> changes = new ArrayList<>();
        for (int id = 0; id <= documents; id++) {
            int size = 1 + random.nextInt(20);
            changes.add(
                    SetChange.upsert(id, random.ints(size).map(i -> element(hashBits)).toArray()));
        }
        try (BufferAllocator allocator = new RootAllocator();
                ColumnBatch batch = SearchRows.changes(allocator, changes)) {
            corpus.apply(batch);
        }
        return corpus.tiles().get(0);
    }

    /** Some are frequent; hashes have few bits, the lowest or the highest. */
    private int element(int hashBits) {
        int bits = random.nextInt(10) == 0 ? random.nextInt(4) : random.nextInt();
        int low = hashBits == Integer.SIZE ? bits : bits & (1 << hashBits) - 1;
        return (random.nextBoolean() ? low : Integer.reverse(low)) * INVERSE;
    }
}
