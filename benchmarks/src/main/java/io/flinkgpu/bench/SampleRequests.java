package io.flinkgpu.bench;

import io.flinkgpu.api.lookup.Bag;
import io.flinkgpu.api.lookup.LookupRequest;

import org.apache.flink.api.java.tuple.Tuple2;

import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Samples as a message queue has them: the bytes of an id in each table, then those of {@value #NUMBERS} numbers,
 * little-endian. Always the same.
 */
final class SampleRequests implements Serializable {

    static final int NUMBERS = 13;

    /** How many different ones there are. */
    static final int COUNT = 1 << 14;

    private static final long serialVersionUID = 1L;

    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle FLOATS =
            MethodHandles.byteArrayViewVarHandle(float[].class, ByteOrder.LITTLE_ENDIAN);

    private final int tables;

    /**
     * @param tables with an id in each sample
     */
    SampleRequests(int tables) {
        this.tables = tables;
    }

    /** All, in the order of their numbers. */
    static byte[][] messages(LookupData data) {
        SplitMix random = new SplitMix(1);
        List<LookupRequest> requests = data.requests(COUNT, LookupData.USUAL_SKEW, 1);
        byte[][] messages = new byte[COUNT][];
        for (int i = 0; i < COUNT; i++) {
            List<Bag> bags = requests.get(i).bags();
            byte[] message = new byte[Long.BYTES * bags.size() + Float.BYTES * NUMBERS];
            int at = 0;
            for (Bag bag : bags) {
                LONGS.set(message, at, bag.ids()[0]);
                at += Long.BYTES;
            }
            for (int number = 0; number < NUMBERS; number++, at += Float.BYTES) {
                FLOATS.set(message, at, random.below(1 << 10) * 0x1p-10f);
            }
            messages[i] = message;
        }
        return messages;
    }

    /** The id of a table. */
    static long id(byte[] message, int table) {
        return (long) LONGS.get(message, Long.BYTES * table);
    }

    /** One of the numbers behind the ids. */
    float number(byte[] message, int number) {
        return (float) FLOATS.get(message, numbersAt() + Float.BYTES * number);
    }

    /** Where the bytes of the numbers start. */
    int numbersAt() {
        return Long.BYTES * tables;
    }

    LookupRequest get(Tuple2<Long, byte[]> sample) {
        long[] ids = new long[tables];
        for (int table = 0; table < tables; table++) {
            ids[table] = id(sample.f1, table);
        }
        float[] numbers = new float[NUMBERS];
        for (int i = 0; i < NUMBERS; i++) {
            numbers[i] = number(sample.f1, i);
        }
        return LookupRequest.ofIds(ids, numbers);
    }
}
