package io.flinkgpu.applications.kafka;

import kafka.Kafka;
import kafka.tools.StorageTool;

import java.io.IOException;

/** A Kafka broker as a process that ends with the one that started it. */
final class BrokerMain {

    private static final String CLUSTER_ID = "ZmxpbmstZ3B1LWthZmthMQ";

    private BrokerMain() {}

    /**
     * @param args the file with the broker's properties
     */
    public static void main(String[] args) {
        String[] format = {
            "format", "--ignore-formatted", "--cluster-id", CLUSTER_ID, "--config", args[0]
        };
        if (StorageTool.execute(format, System.out) != 0) {
            System.exit(1);
        }
        Thread watch = new Thread(BrokerMain::endWithTheParent, "parent");
        watch.setDaemon(true);
        watch.start();
        Kafka.main(new String[] {args[0]});
    }

    /** Standard input ends when the parent does, however it ends. */
    private static void endWithTheParent() {
        try {
            while (System.in.read() >= 0) {
                // Nothing is ever written there.
            }
        } catch (IOException e) {
            // Ends as well.
        }
        Runtime.getRuntime().halt(0);
    }
}
