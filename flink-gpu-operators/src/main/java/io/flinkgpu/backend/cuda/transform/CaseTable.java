package io.flinkgpu.backend.cuda.transform;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/**
 * The tables of {@code kernels/include/transform/case_map.cuh}, made from the running JDK's mapping
 * of code points.
 */
final class CaseTable {

    private static final int PAGE_POINTS = 256;
    private static final int PAGES = (Character.MAX_CODE_POINT + 1) / PAGE_POINTS;

    private CaseTable() {}

    /** The table of a mapping, such as {@code Character::toUpperCase}. */
    static byte[] of(IntUnaryOperator mapping) {
        ByteBuffer table = buffer(PAGES * (Short.BYTES + PAGE_POINTS * Integer.BYTES));
        Map<ByteBuffer, Integer> pages = new HashMap<>();
        int pageBytes = PAGE_POINTS * Integer.BYTES;
        int end = PAGES * Short.BYTES;
        for (int i = 0; i < PAGES; i++) {
            ByteBuffer page = buffer(pageBytes);
            for (int point = i * PAGE_POINTS; point < (i + 1) * PAGE_POINTS; point++) {
                page.putInt(mapping.applyAsInt(point) - point);
            }
            page.flip();
            Integer known = pages.putIfAbsent(page, pages.size());
            if (known == null) {
                table.put(end, page, 0, pageBytes);
                end += pageBytes;
            }
            table.putShort(i * Short.BYTES, (short) (known == null ? pages.size() - 1 : known));
        }
        byte[] bytes = new byte[end];
        table.get(0, bytes);
        return bytes;
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
