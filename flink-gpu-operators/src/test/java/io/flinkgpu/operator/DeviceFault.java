package io.flinkgpu.operator;

import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import jcuda.driver.JCudaDriver;

import java.nio.charset.StandardCharsets;

/** What goes wrong with a device, done to a real one, in the context that the library uses too. */
enum DeviceFault {
    NONE(""),
    /** Writes where no memory is. */
    ILLEGAL_ADDRESS(
            """
            mov.u64 %address, 16;
            st.global.u32 [%address], 1;
            """),
    /** Writes four bytes across a boundary of four. */
    MISALIGNED_ADDRESS(
            """
            mov.u64 %address, 4097;
            st.global.u32 [%address], 1;
            """),
    /** Ends the kernel as a failed check of hardware does. */
    TRAP("trap;"),
    /** Has no memory left for anybody when operators open. */
    FULL_BEFORE_OPEN(""),
    /** The same once they are open, before the first batch. */
    FULL_AFTER_OPEN(""),
    /** A backend without a device says that it has lost one. */
    SCRIPTED("");

    private static final String KERNEL =
            """
            .version 6.3
            .target sm_75
            .address_size 64
            .visible .entry fault()
            {
                .reg .b64 %%address;
                %s
                ret;
            }
            """;

    private final String instructions;

    DeviceFault(String instructions) {
        this.instructions = instructions;
    }

    /** Whether a kernel ruins the context. */
    boolean ruins() {
        return !instructions.isEmpty();
    }

    /** Ruins a device's context; leaves the calling thread's current one as it is. */
    void ruin(int ordinal) throws InterruptedException {
        on(ordinal, this::launch);
    }

    /** Takes all memory of a device but a few MiB, for as long as the process lives. */
    static void fill(int ordinal) throws InterruptedException {
        on(ordinal, DeviceFault::takeAll);
    }

    private static void on(int ordinal, Runnable work) throws InterruptedException {
        Thread thread =
                new Thread(
                        () -> {
                            makeCurrent(ordinal);
                            work.run();
                        });
        thread.start();
        thread.join();
    }

    private static void makeCurrent(int ordinal) {
        CUdevice device = new CUdevice();
        CUcontext context = new CUcontext();
        require(JCudaDriver.cuInit(0), "cuInit");
        require(JCudaDriver.cuDeviceGet(device, ordinal), "cuDeviceGet");
        require(JCudaDriver.cuDevicePrimaryCtxRetain(context, device), "retain");
        require(JCudaDriver.cuCtxSetCurrent(context), "cuCtxSetCurrent");
    }

    private void launch() {
        CUmodule module = new CUmodule();
        CUfunction kernel = new CUfunction();
        byte[] image = (KERNEL.formatted(instructions) + '\0').getBytes(StandardCharsets.US_ASCII);
        require(JCudaDriver.cuModuleLoadData(module, image), "cuModuleLoadData");
        require(JCudaDriver.cuModuleGetFunction(kernel, module, "fault"), "cuModuleGetFunction");
        require(
                JCudaDriver.cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, null, null, null),
                "cuLaunchKernel");
        JCudaDriver.cuCtxSynchronize();
        System.out.println("the device is faulty now");
    }

    private static void takeAll() {
        long taken = 0;
        for (long bytes = 1L << 34; bytes >= 1 << 20; bytes /= 2) {
            while (JCudaDriver.cuMemAlloc(new CUdeviceptr(), bytes) == 0) {
                taken += bytes;
            }
        }
        long[] free = new long[1];
        JCudaDriver.cuMemGetInfo(free, new long[1]);
        System.out.println("the device is full now: taken=" + taken + ", free=" + free[0]);
    }

    private static void require(int result, String call) {
        if (result != 0) {
            System.out.println(call + " gave " + result + "; the device has no fault");
        }
    }
}
