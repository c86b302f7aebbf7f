package io.flinkgpu.bench;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.cuda.CudaBackend;
import io.flinkgpu.backend.cuda.device.CudaProbe;
import io.flinkgpu.backend.cuda.device.LinkRate;
import io.flinkgpu.testkit.TestRequests;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What a run had.
 *
 * @param gpu device as the backend names it; empty without one
 * @param driver its version; empty without a GPU
 * @param cpu model, as the system names it
 * @param cores that Java may use
 * @param java version of the runtime
 * @param toDeviceGbPerS plain copies of pinned memory, measured in this run; 0 without a GPU
 * @param toHostGbPerS the other way
 * @param bothGbPerS both at once, added
 */
public record Hardware(
        String gpu,
        String driver,
        String cpu,
        int cores,
        String java,
        double toDeviceGbPerS,
        double toHostGbPerS,
        double bothGbPerS) {

    private static final long LINK_BYTES = 1L << 30;

    /** One line for people, without what is not known. */
    @Override
    public String toString() {
        List<String> parts = new ArrayList<>();
        parts.add(gpu.isEmpty() ? "no GPU" : gpu);
        if (!driver.isEmpty()) {
            parts.add("driver " + driver);
        }
        if (bothGbPerS > 0) {
            parts.add(
                    String.format(
                            Locale.ROOT,
                            "link %.1f GB/s to the device, %.1f to the host, %.1f both ways added",
                            toDeviceGbPerS,
                            toHostGbPerS,
                            bothGbPerS));
        }
        String processor = cores + " cores" + (cpu.isEmpty() ? "" : ", " + cpu);
        return String.join(", ", parts) + "; " + processor + "; Java " + java;
    }

    /** Of this machine, with the first GPU if there is one. */
    static Hardware here() throws BackendException {
        try (CudaBackend gpu = CudaBackend.open(TestRequests.of(LINK_BYTES))) {
            return measure(Optional.of(gpu));
        } catch (BackendException e) {
            return measure(Optional.empty());
        }
    }

    static Hardware measure(Optional<CudaBackend> gpu) throws BackendException {
        LinkRate link = gpu.isPresent() ? LinkRate.measure(gpu.get()) : LinkRate.NONE;
        return new Hardware(
                gpu.isPresent() ? gpus(gpu.get()) : "",
                gpu.isPresent() ? driverVersion() : "",
                processor(),
                Runtime.getRuntime().availableProcessors(),
                Runtime.version().toString(),
                link.toDevice(),
                link.toHost(),
                link.both());
    }

    /** The device, and how many there are if there are more. */
    private static String gpus(CudaBackend gpu) throws BackendException {
        int devices = CudaProbe.deviceCount();
        return (devices > 1 ? devices + " GPUs, " : "") + gpu.placement();
    }

    /** The machine alone: what one run's copies reached is not the same in the next. */
    Hardware machine() {
        return new Hardware(gpu, driver, cpu, cores, java, 0, 0, 0);
    }

    private static String driverVersion() {
        return output("nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader")
                .lines()
                .findFirst()
                .orElse("unknown");
    }

    private static String processor() {
        try {
            List<String> lines = Files.readAllLines(Path.of("/proc/cpuinfo"));
            return lines.stream()
                    .filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        } catch (IOException e) {
            return System.getProperty("os.arch");
        }
    }

    /** What a command prints, or nothing where it cannot run. */
    static String output(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            String text =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0
                    ? text.strip()
                    : "";
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }
}
