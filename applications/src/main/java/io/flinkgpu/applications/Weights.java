package io.flinkgpu.applications;

/** Made-up numbers, always the same. */
final class Weights {

    private static final float UNIT = 0x1p-24f;

    private final SplitMix random = new SplitMix(1);

    /** Numbers that keep sums of so many products small. */
    float[] some(int count, int products) {
        float[] numbers = new float[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = number(random, (float) Math.sqrt(3.0 / products));
        }
        return numbers;
    }

    /** A number between minus and plus {@code most}. */
    static float number(SplitMix random, float most) {
        return ((random.upper() >>> 8) * UNIT * 2 - 1) * most;
    }
}
